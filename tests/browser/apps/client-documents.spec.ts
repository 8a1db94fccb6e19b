import { randomName } from '../../support/accounts'
import { test as base, continueButton, ignoreRequestsTo, openConsent } from '../../support/browser/app'
import { findViolations } from '../../support/browser/axe'
import { expectToFit } from '../../support/browser/fit'
import { button, expect, open, signedIn } from '../../support/browser/pages'
import { type Documents, keepDocuments } from '../../support/openid/documents'
import { accountsJson } from '../../support/operator/accounts-command'

const test = base.extend<{ documents: Documents }>({
  documents: ({ keep }, use) => keepDocuments(keep).then(use),
  server: async ({ documents, startShared }, use) =>
    use(await startShared({ env: { ...documents.env, CLIENT_DOCUMENTS: 'any' } })),
})

test('the consent page shows the host of a client that introduces itself, doubts its name, and warns where it is on the device', async ({
  page,
  app,
  server,
  documents,
  faults,
}) => {
  await signedIn(page)
  const resource = `https://${randomName()}.example.com`
  await accountsJson(server, 'api', 'add', 'Notes API', resource, '--any-app', '--scope', 'read=Read your notes')
  const name = 'a-rather-long-name-of-a-host-that-somebody-has-chosen'
  const redirect_uris = [app.redirectUri, 'https://other.documents.test/callback']
  const id = documents.put('/client.json', { client_name: 'Your Bank', redirect_uris }, name)
  const client = { ...app, id, name: new URL(id).host }
  const wanted = { resource, scope: 'openid profile read' }

  // The answer goes to another host than the document's.
  await openConsent(page, { ...client, redirectUri: redirect_uris[1] as string }, wanted)
  const main = page.getByRole('main')
  await expect(main).toContainText(
    `It calls itself “Your Bank”. Nobody here has checked that: go by its address, ${client.name}.`,
  )
  await expect(main).toContainText('Next it takes you to other.documents.test.')
  await expect(main.locator('img')).toHaveCount(0)

  await openConsent(page, client, wanted)
  await expect(main).toContainText('continue only if you have just started it yourself')
  await expect(main).toContainText('Read your notes')
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  await expectToFit(page, 'a long host')
  await continueButton(page).click()
  await page.waitForURL((url) => url.href.startsWith(app.redirectUri))
  ignoreRequestsTo(app, faults)

  await open(page, '/profile/apps')
  const apps = page.getByRole('region', { name: 'Connected apps' })
  await expect(apps.getByRole('heading', { name: client.name })).toBeVisible()
  await button(page, `Remove access: ${client.name}`).click()
  await expect(apps.getByRole('heading', { name: client.name })).toHaveCount(0)
})
