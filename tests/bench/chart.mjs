/** @typedef {{ title: string, lines: { name: string, values: number[] }[] }} Panel values are ratios to the first */

const [width, height, left, top, bottom] = [420, 300, 44, 40, 34]
const plot = { width: 230, height: height - top - bottom }
/** Told apart in colour and in grey, on paper of either theme. */
const styles = [
  ['#0072b2', ''],
  ['#d55e00', '6 3'],
  ['#009e73', '2 3'],
  ['#cc79a7', '9 3 2 3'],
  ['#8a6d00', '4 4'],
]

/**
 * An SVG with a panel for each deployment: the rates as ratios to those of the smallest size.
 *
 * @param {string[]} sizes
 * @param {Panel[]} panels
 */
export function chart(sizes, panels) {
  const all = panels.flatMap(({ lines }) => lines.flatMap(({ values }) => values))
  const max = Math.max(1.2, ...all)
  const body = panels.map(
    (panel, index) => `<g transform="translate(${index * width} 0)">${drawPanel(sizes, panel, max)}</g>`,
  )
  const label = 'Rates by the number of accounts, as ratios to the smallest number'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${panels.length * width} ${height}" role="img" aria-label="${label}" font-family="system-ui, sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${body.join('\n')}
</svg>
`
}

/** @param {string[]} sizes @param {Panel} panel @param {number} max */
function drawPanel(sizes, { title, lines }, max) {
  const x = (/** @type {number} */ index) => round(left + (index * plot.width) / Math.max(1, sizes.length - 1))
  const y = (/** @type {number} */ ratio) => round(top + plot.height * (1 - ratio / max))
  const ticks = [0, 0.5, 0.9, 1].map(
    (ratio) =>
      `<path d="M${left} ${y(ratio)}h${plot.width}" stroke="${ratio === 0.9 ? '#888' : '#ddd'}"/><text x="${left - 6}" y="${y(ratio) + 4}" text-anchor="end">${ratio}</text>`,
  )
  const names = sizes.map(
    (size, index) => `<text x="${x(index)}" y="${height - bottom + 18}" text-anchor="middle">${escaped(size)}</text>`,
  )
  const drawn = lines.map(({ name, values }, index) => {
    const [color, dashes] = styles[index % styles.length] ?? ['#000', '']
    const points = values.map((value, at) => `${x(at)},${y(value)}`).join(' ')
    const at = top + 12 + index * 18
    const from = left + plot.width + 10
    return `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/><path d="M${from} ${at - 4}h18" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/><text x="${from + 24}" y="${at}">${escaped(name)}</text>`
  })
  return [`<text x="${left}" y="20" font-weight="600">${escaped(title)}</text>`, ...ticks, ...names, ...drawn].join(
    '\n',
  )
}

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10

const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
