import { readFileSync } from 'node:fs'

/**
 * @typedef {object} KnownApp
 * @property {string} name
 * @property {string[]} redirectUris
 * @property {string[]} options of `app add`
 * @property {string[]} scopes what it asks for
 * @property {string} settings
 * @property {string} remark
 * @property {string} documents where its own documents are
 */

/** @param {KnownApp} app */
function entry({ name, redirectUris, options, settings, remark, documents }) {
  const quoted = /\s/.test(name) ? `"${name}"` : name
  const command = ['app add', quoted, ...redirectUris, ...options].join(' ')
  return `- **[${name}](${documents})**: \`${command}\`\\\n  ${settings}\\\n  ${remark}`
}

/** The list of known apps in docs/openid.md. */
export function knownApps() {
  /** @type {{ apps: KnownApp[] }} */
  const { apps } = JSON.parse(readFileSync('docs/apps.json', 'utf8'))
  return apps.map(entry).join('\n')
}
