/**
 * So long after the window's focus, a click may have been for another window. A person takes longer to read
 * a page. A file of its own: a server component and a client hook share it.
 */
export const settleMilliseconds = 500
