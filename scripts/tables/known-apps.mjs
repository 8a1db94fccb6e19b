import { readFileSync } from 'node:fs'

/**
 * @typedef {object} KnownApp
 * @property {string} name
 * @property {string[]} redirectUris
 * @property {string[]} options of `app add`
 * @property {string[]} scopes what it asks for
 * @property {string} place where its settings go
 * @property {string} language of its settings, for highlighting
 * @property {string[]} settings one a line
 * @property {string[]} remarks what to know before
 * @property {string} [pkce] what turns PKCE on in it
 * @property {string} [ends] when it notices that somebody was disabled
 * @property {string} [tried] the version that was tried
 * @property {string} documents where its own documents are
 */

const fence = '```'

/** @param {string} language @param {string[]} lines */
const block = (language, lines) => `${fence}${language}\n${lines.join('\n')}\n${fence}`

/** @param {KnownApp} app */
function entry({ name, redirectUris, options, place, language, settings, remarks, pkce, ends, tried, documents }) {
  const quoted = /\s/.test(name) ? `"${name}"` : name
  const command = ['npm run accounts -- app add', quoted, ...redirectUris, ...options].join(' ')
  const paragraphs = [`### ${name}`, block('sh', [command]), `${place}:`, block(language, settings)]
  const facts = [
    ...remarks,
    ...(pkce ? [`PKCE: ${pkce}.`] : []),
    ...(ends ? [`Somebody is disabled: it notices ${ends}.`] : []),
    `[${name}'s own documents](${documents})${tried ? `; tried with ${tried}` : ''}`,
  ]
  const list = facts.map((line) => `- ${line}`).join('\n')
  return [...paragraphs, list].join('\n\n')
}

/** The list of known apps in docs/openid.md. */
export function knownApps() {
  /** @type {{ apps: KnownApp[] }} */
  const { apps } = JSON.parse(readFileSync('docs/apps.json', 'utf8'))
  return `\n${apps.map(entry).join('\n\n')}\n`
}
