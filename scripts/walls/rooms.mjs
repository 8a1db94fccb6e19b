import { browser } from './rooms/browser.mjs'
import { entryPoints } from './rooms/entry-points.mjs'
import { http } from './rooms/http.mjs'
import { service } from './rooms/service.mjs'
import { shared } from './rooms/shared.mjs'

/**
 * The rooms of the source and the arrows between them, from which `npm run walls` writes the linter's rules. The files of rooms/
 * have a row for each.
 *
 * @typedef {object} Room
 * @property {string} room a folder, a file of the folder above it in the table, or a pattern of files
 * @property {string[]} [inner] folders below it that are no rooms of their own: all of these may import each other
 * @property {string[]} [door] the only files that other rooms may import
 * @property {string[]} [imports] rooms that it may import, and with them all that those may import
 * @property {string[]} [importsOnly] rooms or files that it alone may import: neither what is behind them nor those who import it
 * @property {string[]} [packages] the only packages that it may import; without it, any but those in `without`
 * @property {string[]} [without] packages that it must not import
 * @property {string} [why] what the linter says beside the list of rooms
 */

/** Imports go down, from file to file as well: a row names only rows below it, so nothing leads back. */
export const rooms = [...entryPoints, ...browser, ...http, ...service, ...shared]
