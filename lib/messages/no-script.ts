/** A file of its own, because pages import it. `title` and `link` are for the answer to a form sent without JavaScript. */
export const noScript = {
  title: 'JavaScript is turned off',
  text: 'Signing in requires JavaScript. Enable it for this site and reload the page.',
  link: 'Back to the form',
}
