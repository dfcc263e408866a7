// report.js - sorts tables, hides curves, renews a page that is served while tests are fuzzed, and asks
// for what its buttons offer.
"use strict";

// The value that a cell is sorted by: a number where it has one.
function keyOf(row, column) {
  const cell = row.cells[column];
  return cell.dataset.sort !== undefined ? Number(cell.dataset.sort) : cell.textContent.trim();
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// How tables are sorted, for when the page is renewed: by section and column.
const sorted = new Map();
// Runs whose curves are hidden.
const hidden = new Set();

function sortTable(table, column, descending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, column) }));
  rows.sort((a, b) => (descending ? compare(b.key, a.key) : compare(a.key, b.key)));
  rows.forEach(({ row }) => body.append(row));
  [...table.tHead.rows[0].cells].forEach((cell, i) => {
    if (i === column) cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  });
}

function makeSortable(table) {
  const section = table.closest("section");
  const name = section ? section.id + [...section.querySelectorAll("table")].indexOf(table) : "";
  [...table.tHead.rows[0].cells].forEach((cell, column) => {
    if (cell.textContent === "") return;
    const button = document.createElement("button");
    button.textContent = cell.textContent;
    button.addEventListener("click", () => {
      const first = cell.classList.contains("num") ? "descending" : "ascending";
      const now = cell.getAttribute("aria-sort");
      const order = now === null ? first : now === "ascending" ? "descending" : "ascending";
      sortTable(table, column, order === "descending");
      sorted.set(name, [column, order === "descending"]);
    });
    cell.replaceChildren(button);
  });
  if (sorted.has(name)) sortTable(table, ...sorted.get(name));
}

function showRun(run, shown) {
  if (shown) hidden.delete(run);
  else hidden.add(run);
  document.querySelectorAll(`.run[data-run="${run}"]`).forEach((curve) => {
    curve.classList.toggle("off", !shown);
  });
}

function setUp(root) {
  root.querySelectorAll("table.sortable").forEach(makeSortable);
  root.querySelectorAll("input[data-run]").forEach((box) => {
    box.checked = !hidden.has(box.dataset.run);
    showRun(box.dataset.run, box.checked);
    box.addEventListener("change", () => showRun(box.dataset.run, box.checked));
  });
  root.querySelectorAll("button[data-post]").forEach((button) => {
    button.addEventListener("click", () => order(button));
  });
}

// Has something done. The page says how that goes when it is renewed.
async function order(button) {
  button.disabled = true;
  const answer = await fetch("/" + button.dataset.post, { method: "POST" }).catch(() => null);
  if (answer !== null && answer.ok) button.textContent = "Asked for";
  else button.disabled = false;
}

// Takes what is new of the page over, section by section; what a person opened stays open.
async function renew() {
  const answer = await fetch(location.pathname, { cache: "no-store" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const main = document.querySelector("main");
  const open = new Set([...main.querySelectorAll("details[open] > summary")].map((s) => s.textContent));
  const closed = new Set([...main.querySelectorAll("details:not([open]) > summary")].map((s) => s.textContent));
  const fresh = page.querySelector("main");
  fresh.querySelectorAll("details > summary").forEach((s) => {
    if (open.has(s.textContent)) s.parentElement.open = true;
    if (closed.has(s.textContent)) s.parentElement.open = false;
  });
  main.replaceWith(document.adoptNode(fresh));
  setUp(document);
}

setUp(document);
if (document.body.dataset.live !== undefined) {
  const again = () => renew().catch(() => {
    document.body.classList.add("gone"); // the run is over: the page stays as it was
    clearInterval(timer);
  });
  const timer = setInterval(again, 2000);
}
