// `npm run letters`: each letter in each language, as HTML and text, with a page that lists them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readOptions } from './support/command-line.mjs'
import { importTypeScript } from './support/import-typescript.mjs'

readOptions('npm run letters --', 'Writes each letter in each language to build/letters.')
const folder = 'build/letters'
const origin = process.env.APP_ORIGIN ?? 'https://id.example.com'
Object.assign(process.env, {
  APP_ORIGIN: origin,
  JWT_SECRET: 'letters-of-nobody-8Hq2vX7pLzR4tKwB9mYcD3fJ',
  DATABASE_URL: 'file:build/no-letters.db',
})
/** @type {typeof import('../lib/delivery/letter')} */
const { composeLetter } = await importTypeScript('lib/delivery/letter.ts')
/** @type {typeof import('../lib/messages/catalogues')} */
const { wordsIn } = await importTypeScript('lib/messages/catalogues.ts')
/** @type {typeof import('../lib/messages/locales')} */
const { locales } = await importTypeScript('lib/messages/locales.ts')

const at = Date.UTC(2026, 10, 29, 16, 53)
/** @type {Partial<Record<string, object>>} */
const own = {
  code: { code: '407153' },
  taken: {},
  test: {},
  invitation: { path: '/signup#invitation=eyJhbGciOiJIUzI1NiJ9', until: at + 7 * 86_400_000 },
  recovery: {
    account: 'ada',
    browser: 'Firefox on Windows',
    path: '/recover#0GZsCvz4dVn3Xh1mTqLkR9yWbP6uAeJf8oNiE2cDxHg',
    until: at + 86_400_000,
  },
  recovery_asked: {
    account: 'ada',
    browser: 'Firefox on Windows',
    path: '/recover/stop#0GZsCvz4dVn3Xh1mTqLkR9yWbP6uAeJf8oNiE2cDxHg',
    until: at + 86_400_000,
  },
  administrator_added: { account: 'grace', browser: 'Firefox on Windows' },
  key_added: { key: 'backup', browser: 'Firefox on Windows' },
  ...Object.fromEntries(
    ['account_disabled', 'account_enabled', 'groups_changed', 'session_revoked'].map((kind) => [
      kind,
      { account: 'ada', byOperator: true },
    ]),
  ),
}

rmSync(folder, { recursive: true, force: true })
const links = []
for (const locale of locales) {
  mkdirSync(`${folder}/${locale}`, { recursive: true })
  for (const kind of /** @type {import('../lib/delivery/letter').LetterKind[]} */ (
    Object.keys(wordsIn('en').letters.titles)
  )) {
    const facts = own[kind] ?? { account: 'ada', browser: 'Firefox on Windows' }
    const { subject, text, html } = composeLetter(
      { kind, to: 'ada@example.com', locale, at, ...facts },
      kind === 'new_browser' ? 4 : 1,
    )
    writeFileSync(`${folder}/${locale}/${kind}.html`, html)
    writeFileSync(`${folder}/${locale}/${kind}.txt`, `Subject: ${subject}\n\n${text}`)
    links.push(
      `<li lang="${locale}"><a href="${locale}/${kind}.html">${subject}</a> (<a href="${locale}/${kind}.txt">text</a>)`,
    )
  }
}
writeFileSync(
  `${folder}/index.html`,
  `<!doctype html><meta charset="utf-8"><title>Letters</title><ul>${links.join('\n')}</ul>\n`,
)
process.stdout.write(`${links.length} letters in ${folder}; open ${folder}/index.html\n`)
