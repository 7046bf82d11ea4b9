export interface Series {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Plot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
}

const size = { width: 720, height: 420, left: 70, right: 210, top: 50, bottom: 60 };
const colours = ['#1b6ca8', '#c8553d', '#3c7a4b', '#7a4b9a', '#a07a1b', '#444444'];

/** A line chart with logarithmic axes, as SVG. */
export function draw({ title, xLabel, yLabel, series }: Plot): string {
  const all = series.flatMap(({ points }) => points);
  const x = axis(
    all.map((point) => point.x),
    size.left,
    size.width - size.right,
  );
  const y = axis(
    all.map((point) => point.y),
    size.height - size.bottom,
    size.top,
  );
  const grid = [
    ...x.ticks.map((tick) => {
      const at = x.position(tick).toFixed(1);
      return `<path d="M${at} ${size.top}V${size.height - size.bottom}"/><text x="${at}" y="${size.height - size.bottom + 18}" text-anchor="middle">${tick}</text>`;
    }),
    ...y.ticks.map((tick) => {
      const at = y.position(tick);
      return `<path d="M${size.left} ${at.toFixed(1)}H${size.width - size.right}"/><text x="${size.left - 8}" y="${(at + 4).toFixed(1)}" text-anchor="end">${tick}</text>`;
    }),
  ];
  const lines = series.map(({ name, points }, index) => {
    const colour = colours[index % colours.length];
    const positions = points.map(
      (point) => `${x.position(point.x).toFixed(1)},${y.position(point.y).toFixed(1)}`,
    );
    const dots = positions.map(
      (position) => `<circle cx="${position.split(',')[0]}" cy="${position.split(',')[1]}" r="3"/>`,
    );
    const legend = size.top + 14 + index * 20;
    return `<g fill="${colour}"><polyline points="${positions.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}
<text x="${size.width - size.right + 26}" y="${legend}" fill="#222">${escaped(name)}</text><rect x="${size.width - size.right + 12}" y="${legend - 9}" width="9" height="9"/></g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${size.left}" y="26" font-size="15">${escaped(title)}</text>
<g stroke="#ddd" fill="none">${grid.join('\n').replaceAll('<text', '<text stroke="none" fill="#444"')}</g>
${lines.join('\n')}
<text x="${(size.left + size.width - size.right) / 2}" y="${size.height - 16}" text-anchor="middle">${escaped(xLabel)}</text>
<text transform="translate(20 ${(size.top + size.height - size.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(yLabel)}</text>
</svg>
`;
}

/** A logarithmic scale, with ticks at 1, 2 and 5 of each power of ten. */
function axis(values: readonly number[], from: number, to: number) {
  const steps = [1, 2, 5];
  const powers = Array.from({ length: 12 }, (_, index) => 10 ** (index - 3));
  const candidates = powers.flatMap((power) => steps.map((step) => Number((step * power).toPrecision(1))));
  const low = Math.max(...candidates.filter((tick) => tick <= Math.min(...values)));
  const high = Math.min(...candidates.filter((tick) => tick >= Math.max(...values)));
  const scale = (to - from) / (Math.log(high) - Math.log(low));
  return {
    ticks: candidates.filter((tick) => tick >= low && tick <= high),
    position: (value: number) => from + (Math.log(value) - Math.log(low)) * scale,
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
