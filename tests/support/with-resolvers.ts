/** `Promise.withResolvers()`, which Node has from version 22 on. */
export function withResolvers<T = void>() {
  let resolve = (_value: T) => {}
  let reject = (_reason: Error) => {}
  const promise = new Promise<T>((done, fail) => {
    resolve = done
    reject = fail
  })
  return { promise, resolve, reject }
}
