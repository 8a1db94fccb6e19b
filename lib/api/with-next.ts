/** A page or an endpoint of ours that leads on to `next`. */
export const withNext = (path: string, next: string) => `${path}?${new URLSearchParams({ next })}`
