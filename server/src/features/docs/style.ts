/** Style sheet of the reference: system fonts, and sufficient contrast in light and dark mode. */
export const style = `:root {
  color-scheme: light dark;
  --text: #1c2330; --quiet: #566072; --ground: #fff; --raised: #f3f5f8; --line: #cfd6e0; --accent: #0b57c2;
  font: 16px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e6eaf1; --quiet: #a5b0c2; --ground: #12161d; --raised: #1c222c; --line: #3a4455; --accent: #8ab4f8; }
}
body { margin: 0; color: var(--text); background: var(--ground); }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
a { color: var(--accent); }
code, pre, textarea { font: .9em/1.45 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { padding: .75rem; overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; }
#answer { max-height: 30rem; overflow-y: auto; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
b[class] { display: inline-block; min-width: 4rem; font: 700 .8rem/1.4 ui-monospace, monospace; }
.GET { color: #0a6b3d; } .POST { color: #0b57c2; } .PUT, .PATCH { color: #8a5000; } .DELETE { color: #b3261e; }
@media (prefers-color-scheme: dark) {
  .GET { color: #6dd58c; } .POST { color: #8ab4f8; } .PUT, .PATCH { color: #f2b866; } .DELETE { color: #f2938c; }
}
details.family { border-top: 1px solid var(--line); }
details.family > summary { padding: .6rem 0; }
details.family h2 { display: inline; margin: 0; font-size: 1.05rem; }
summary span, dt span { color: var(--quiet); }
dt span { font-size: .85rem; overflow-wrap: anywhere; }
details.family ul { list-style: none; margin: 0 0 1rem; padding: 0 0 0 1rem; }
details.family li { padding: .2rem 0; }
details.family a { text-decoration: none; }
details.family a code { text-decoration: underline; }
summary { cursor: pointer; }
dl dl, details dl { border-left: 2px solid var(--line); padding-left: 1rem; }
dt { margin-top: .5rem; }
dd { margin: 0 0 0 1rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
.facts dt, .facts dd { margin: 0; }
.facts dt { color: var(--quiet); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  td { border: 0; padding: 0; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
}
search label, form label { display: block; margin: .5rem 0; }
[hidden] { display: none !important; }
input, textarea { box-sizing: border-box; width: 100%; padding: .45rem .6rem; font-size: 1rem; color: inherit; background: var(--raised); border: 1px solid var(--quiet); border-radius: 4px; }
textarea { font-size: .9rem; }
button { margin: .75rem 0; padding: .5rem 1rem; font: inherit; color: var(--ground); background: var(--accent); border: 0; border-radius: 4px; cursor: pointer; }
`;
