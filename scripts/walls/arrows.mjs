import { rooms } from './rooms.mjs'

/** A room as the map of CONTRIBUTING.md names it: `http` for each folder below `lib/http`. @param {string} room */
function nameOf(room) {
  const [top = '', below = ''] = room.split('/')
  const name = top === 'scripts' ? room.split('/', 2).join('/') : top === 'lib' ? below : top
  return name.replace(/\.\w+$/, '')
}

/** The arrows between the rooms of the map, each room with those below it. */
export function arrows() {
  /** @type {Map<string, Set<string>>} */
  const targets = new Map()
  for (const { room, imports = [], importsOnly = [] } of rooms) {
    const name = nameOf(room)
    const others = [...imports, ...importsOnly].map(nameOf).filter((other) => other !== name)
    targets.set(name, new Set([...(targets.get(name) ?? []), ...others]))
  }
  const lines = [...targets].filter(([, others]) => others.size > 0)
  return ['```', ...lines.map(([name, others]) => `${name} -> ${[...others].join(', ')}`), '```'].join('\n')
}
