/** How long after the window's focus a click may have been meant for another window: shorter than a person takes to read a page. */
export const settleMilliseconds = 500
