const quietMilliseconds = 60_000

/** Lets one call a minute through, so that a warning about something that fails on every request cannot fill the disk. */
export function onceAMinute<Values extends unknown[]>(write: (...values: Values) => void): (...values: Values) => void {
  let quietUntil = 0
  return (...values) => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + quietMilliseconds
    write(...values)
  }
}
