/** So long after the window's focus, a click may have been for another window. A person takes longer to read a page. */
export const settleMilliseconds = 500
