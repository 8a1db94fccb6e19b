import { PASSWORD } from '../../support/accounts'
import { reauthenticationDialog } from '../../support/browser/account-pages'
import { findViolations } from '../../support/browser/axe'
import { expectToFit } from '../../support/browser/fit'
import { button, expect, open, signedIn, test } from '../../support/browser/pages'
import { forgetStepUp } from '../../support/browser/step-up'
import { registerApp } from '../../support/openid/fixtures'
import { postForm } from '../../support/openid/requests'
import { executeSql } from '../../support/storage/sql'

test('a device is connected by its code and a press, on a page that says where it asked, what it gets and to refuse a stranger @promise', async ({
  page,
  server,
}) => {
  const app = await registerApp(server, '--device', '--public')
  const codes = async () =>
    (await postForm({ server }, '/api/oauth/device', { client_id: app.id, scope: 'openid profile offline_access' }))
      .body
  const poll = async (device_code: string) => {
    executeSql(
      server.databaseUrl,
      `UPDATE "DeviceRequest" SET "polledAt" = NULL WHERE "id" = '${device_code.slice(0, 22)}'`,
    )
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    return (await postForm({ server }, '/api/oauth/token', { grant_type, device_code, client_id: app.id })).body
  }
  const username = await signedIn(page)
  await open(page, '/device')
  const code = page.getByLabel('Code')
  await expect(code).toBeFocused()
  await code.fill('BCDF-GHJK')
  await button(page, 'Continue').click()
  await expect(page.getByText('This code is wrong or has expired.')).toBeVisible()
  await expect(code).toHaveValue('BCDF-GHJK')
  await expect(code).toBeFocused()

  // By the complete address, which shows the code to compare, and gives nothing by itself.
  const refused = await codes()
  await open(
    page,
    new URL(refused.verification_uri_complete).pathname + new URL(refused.verification_uri_complete).search,
  )
  await expect(page.getByRole('heading', { name: 'Did you start this yourself?' })).toBeVisible()
  await expect(page).toHaveTitle('Did you start this yourself? · Latchkey')
  const main = page.getByRole('main')
  await expect(main).toContainText(
    `${app.name}, on a device that shows ${refused.user_code}, wants to use your account.`,
  )
  await expect(main).toContainText('The device asked from 127.0.0.1')
  await expect(main).toContainText('they would get into your account')
  await expect(main.getByRole('listitem').first()).toContainText('Your username: ')
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  await expectToFit(page, '/device')
  expect(await poll(refused.device_code)).toMatchObject({ error: 'authorization_pending' })
  await button(page, 'No').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName('You have said no')
  await expect(main.getByRole('group', { name: 'You have said no' })).toBeFocused()
  await expect(main.getByText('The device gets nothing.')).toBeVisible()
  expect(await poll(refused.device_code)).toMatchObject({ error: 'access_denied' })

  // By the code, as somebody types it. Lasting access takes a step-up.
  await forgetStepUp(page)
  const allowed = await codes()
  await open(page, '/device')
  await code.fill(allowed.user_code.toLowerCase().replace('-', ''))
  await code.press('Enter')
  await button(page, `Yes, allow ${app.name}`).click()
  const password = reauthenticationDialog(page).locator('input[name="password"]')
  await password.fill(PASSWORD)
  await password.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName(`${app.name} is connected`)
  await expect(page).toHaveTitle(`${app.name} is connected · Latchkey`)
  await expect(main.getByText('Go on at your device.')).toBeVisible()
  await expect(main.getByText('they would get into your account')).toBeHidden()
  const tokens = await poll(allowed.device_code)
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ preferred_username: username, aud: app.id })
})
