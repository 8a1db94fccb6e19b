/** @typedef {{ title: string, lines: { name: string, values: number[] }[] }} Panel values are ratios to the first */

const [width, height, left, top, bottom] = [450, 300, 44, 40, 34]
const plot = { width: 230, height: height - top - bottom }
const goal = 0.9
/** Told apart in colour and in grey. The first colour of each is for light, the second for dark. */
const lineStyles = [
  ['#0072b2', '#56b4e9', ''],
  ['#b34a00', '#ff9a4d', '6 3'],
  ['#007a5a', '#2fd0a3', '2 3'],
  ['#a8417f', '#f09bcb', '9 3 2 3'],
  ['#6b5700', '#e0c341', '4 4'],
]
/** Its own background, because the page around it may have another theme than the browser. */
const style = `text { fill: #1f2328 } .paper { fill: #fff } .grid { stroke: #d8dee4 } .goal { stroke: #6e7781 }
${lineStyles.map(([light, , dashes], n) => `.l${n} { stroke: ${light}; stroke-dasharray: ${dashes || 'none'} }`).join('\n')}
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .paper { fill: #0d1117 } .grid { stroke: #30363d } .goal { stroke: #8b949e }
${lineStyles.map(([, dark], n) => `.l${n} { stroke: ${dark} }`).join('\n')}
}`

/**
 * An SVG with a panel for each deployment: the rates as ratios to those of the smallest size.
 *
 * @param {string[]} sizes
 * @param {Panel[]} panels
 */
export function chart(sizes, panels) {
  const all = panels.flatMap(({ lines }) => lines.flatMap(({ values }) => values))
  const max = Math.max(1.2, ...all.filter(Number.isFinite))
  const body = panels.map(
    (panel, index) => `<g transform="translate(${index * width} 0)">\n${drawPanel(sizes, panel, max)}\n</g>`,
  )
  const label = `Rates by the number of accounts, as ratios to those with ${sizes[0]}; the goal is ${goal}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${panels.length * width} ${height}" role="img" aria-label="${label}" font-family="system-ui, sans-serif" font-size="12">
<style>${style}</style>
<rect class="paper" width="100%" height="100%"/>
${body.join('\n')}
</svg>
`
}

/** @param {string[]} sizes @param {Panel} panel @param {number} max */
function drawPanel(sizes, { title, lines }, max) {
  const x = (/** @type {number} */ index) => round(left + (index * plot.width) / Math.max(1, sizes.length - 1))
  const y = (/** @type {number} */ ratio) => round(top + plot.height * (1 - ratio / max))
  const ticks = [0, 0.5, goal, 1].map((ratio) => {
    const kind = ratio === goal ? 'goal' : 'grid'
    return `<path class="${kind}" d="M${left} ${y(ratio)}h${plot.width}"/><text x="${left - 6}" y="${y(ratio) + 4}" text-anchor="end">${ratio}</text>`
  })
  const names = sizes.map(
    (size, index) => `<text x="${x(index)}" y="${height - bottom + 18}" text-anchor="middle">${size}</text>`,
  )
  const from = left + plot.width + 10
  const drawn = lines.map(({ name, values }, index) => {
    const points = values.map((value, at) => `${x(at)},${y(value)}`).join(' ')
    const at = top + 12 + index * 18
    const line = `class="l${index % lineStyles.length}" fill="none" stroke-width="2"`
    return `<polyline ${line} points="${points}"/><path ${line} d="M${from} ${at - 4}h18"/><text x="${from + 24}" y="${at}">${name}</text>`
  })
  return [`<text x="${left}" y="20" font-weight="600">${title}</text>`, ...ticks, ...names, ...drawn].join('\n')
}

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10
