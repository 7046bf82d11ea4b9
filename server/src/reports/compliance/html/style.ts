import { dark, light, type Palette } from '../visual/palette.ts';
import { cssString } from './escape.ts';

/** Running headers and footers of the printed pages. */
export interface Running {
  readonly title: string;
  readonly subject: string;
  readonly time: string;
}

const variables = (palette: Palette) =>
  [
    ...(['page', 'sunken', 'text', 'muted', 'link', 'rule', 'hairline'] as const).map(
      (name) => `--${name}:${palette[name]}`,
    ),
    ...Object.entries(palette.severities).map(([severity, colour]) => `--severity-${severity}:${colour}`),
    ...Object.entries(palette.statuses).map(([status, colour]) => `--status-${status}:${colour}`),
  ].join(';');

const marks = [
  ...Object.keys(light.severities).map((severity) => `severity-${severity}`),
  ...Object.keys(light.statuses).map((status) => `status-${status}`),
].map((name) => `.${name}{color:var(--${name})}`);

const widths = Array.from({ length: 100 }, (_, index) => `.w${index + 1}{width:${index + 1}%}`);

export const styleOf = ({ title, subject, time }: Running) => `
:root{color-scheme:light dark;${variables(light)}}
@media (prefers-color-scheme:dark){:root{${variables(dark)}}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--text);font:14px/20px Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
header,nav,main,footer{max-width:60rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:2.5rem}
footer{padding-bottom:3rem;color:var(--muted);font-size:12px;line-height:16px}
h1{margin:0 0 1rem;font-size:26px;line-height:34px;font-weight:600;max-width:40rem;overflow-wrap:break-word}
h2{margin:3rem 0 .5rem;padding-top:.75rem;border-top:2px solid var(--text);font-size:20px;line-height:28px;font-weight:600}
h3{margin:2rem 0 .5rem;font-size:16px;line-height:24px;font-weight:600}
h4{margin:1.5rem 0 .5rem;font-size:14px;line-height:20px;font-weight:600}
.label{margin:1rem 0 .25rem;font-size:13px;line-height:18px;font-weight:600}
.label+p,.label+pre,.label+ol{margin-top:0}
p,ol{margin:.5rem 0;max-width:75ch;white-space:pre-line}
.note{color:var(--muted)}
a{color:var(--link)}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-100rem}
.skip:focus{position:static}
nav ul{margin:.5rem 0;padding:0;list-style:none;columns:2 18rem}
nav li{padding:.125rem 0;break-inside:avoid}
.about{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin:0 0 1.5rem}
dt{color:var(--muted)}
dd{margin:0}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:.5rem 0}
.facts div{display:flex;gap:.375rem}
.score{display:flex;align-items:center;gap:1.5rem;margin:1.5rem 0;padding:1rem 1.25rem;background:var(--sunken);border-left:4px solid var(--text);max-width:none}
.score strong{font-size:34px;line-height:40px;font-weight:600;white-space:nowrap}
.score span{color:var(--muted);max-width:60ch}
table{width:100%;margin:1rem 0;border-collapse:collapse;table-layout:fixed;font-size:13px;line-height:18px}
.narrow{max-width:28rem}
caption{padding:.25rem 0;text-align:left;font-weight:600}
th,td{padding:.3rem .75rem .3rem 0;text-align:left;vertical-align:top;font-weight:400;border-bottom:1px solid var(--hairline)}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--muted);font-size:12px;line-height:16px;vertical-align:bottom;border-bottom:1px solid var(--rule);overflow-wrap:normal}
.number{text-align:right}
.code,pre{font-family:"JetBrains Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px;line-height:18px}
pre{margin:.25rem 0 .75rem;padding:.6rem .8rem;background:var(--sunken);border-left:2px solid var(--rule);white-space:pre-wrap}
.mark{width:.75em;height:.75em;margin-right:.4em;flex:none;vertical-align:-.02em}
figure{margin:1rem 0}
figure svg{display:block;width:100%;height:auto;max-width:44rem;font-size:11px}
.grid{stroke:var(--hairline)}
.line{fill:none;stroke:var(--link);stroke-width:1.75}
.dot{fill:var(--link)}
.axis{fill:var(--muted)}
.end{text-anchor:end}
${marks.join('\n')}
${widths.join('\n')}
@media (max-width:40rem){.about{grid-template-columns:1fr;gap:0}.about dd{margin-bottom:.5rem}.score{flex-direction:column;align-items:flex-start;gap:.25rem}}
@page{size:A4;margin:24mm 17mm 20mm;
@top-left{content:${cssString(title)};font:8pt Inter,system-ui,sans-serif;color:${light.muted}}
@top-right{content:${cssString(subject)};font:8pt Inter,system-ui,sans-serif;color:${light.muted}}
@bottom-left{content:${cssString(time)};font:8pt Inter,system-ui,sans-serif;color:${light.muted}}
@bottom-right{content:counter(page) " of " counter(pages);font:8pt Inter,system-ui,sans-serif;color:${light.muted}}}
@page:first{@top-left{content:none}@top-right{content:none}}
@media print{
:root{color-scheme:light;${variables(light)}}
body{font-size:9pt;line-height:13pt}
header,nav,main,footer{max-width:none;padding:0}
nav,.skip{display:none}
h1{font-size:20pt;line-height:26pt}h2{font-size:14pt;line-height:19pt}h3{font-size:11pt;line-height:15pt}h4,.label{font-size:9pt;line-height:13pt}
table{font-size:8pt;line-height:11pt}
.code,pre{font-size:7.5pt;line-height:11pt}
h2,h3,h4,.label,caption,thead{break-after:avoid}
tr,figure,.score,pre{break-inside:avoid}
.facts{break-after:avoid}
p,ol{orphans:2;widows:2}
#summary{break-before:page}
a{color:inherit;text-decoration:none}
}
`;
