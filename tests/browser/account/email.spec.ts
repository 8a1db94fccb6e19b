import { randomName } from '../../support/accounts'
import { dialog, errorMessage, section, statusMessage } from '../../support/browser/account-pages'
import { test as base, button, expect, open, signedIn } from '../../support/browser/pages'
import { type MailServer, mailEnv, startMailServer } from '../../support/network/mail-server'

const test = base.extend<{ mail: MailServer }>({
  mail: async ({ keep }, use) =>
    use(
      await keep('mail-server', async (onEnd) => {
        const mail = await startMailServer()
        onEnd(() => mail.stop())
        return mail
      }),
    ),
  server: async ({ startShared, mail }, use) => use(await startShared({ env: mailEnv(mail.port) })),
})

const randomAddress = () => `${randomName()}@example.com`

test('a person adds an email address on the profile by the code in a letter, with a wrong one before, removes it, and adds another after sign-up @promise', async ({
  page,
  mail,
}) => {
  await page.clock.install()
  await signedIn(page)
  await open(page, '/profile/about-you')
  const setting = section(page, 'Email address')
  await expect(setting).toContainText('None')
  await button(page, 'Add an email address').click()
  await setting.getByLabel('Email address').fill('ada@example')
  await button(page, 'Send code').click()
  await expect(setting.getByText('Enter one email address with at most 254 characters')).toBeVisible()
  const address = randomAddress()
  await setting.getByLabel('Email address').fill(address)
  await button(page, 'Send code').click()
  const field = setting.getByLabel('Code', { exact: true })
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(setting).toContainText(`If ${address} can be used`)
  const first = await mail.codeTo(address)
  await field.fill(first === '000000' ? '000001' : '000000')
  await button(page, 'Confirm').click()
  await expect(setting.getByText('The code is wrong, used or expired')).toBeVisible()
  await expect(button(page, 'Send another code in a minute')).toBeDisabled()
  await page.clock.runFor(60_000)
  await button(page, 'Send another code').click()
  await expect(statusMessage(setting, 'Another code is on its way')).toBeVisible()
  await field.fill(await mail.codeTo(address, 2))
  await button(page, 'Confirm').click()
  await expect(statusMessage(setting, 'Email address confirmed.')).toBeVisible()
  await expect(setting).toContainText(address)

  await button(page, 'Change email address').click()
  await button(page, 'Remove email address').click()
  await dialog(page, 'Remove your email address?').getByRole('button', { name: 'Remove email address' }).click()
  await expect(statusMessage(setting, 'Email address removed.')).toBeVisible()
  await expect(setting).toContainText('None')
  await expect(errorMessage(setting, /./)).toBeHidden()

  // The page after sign-up suggests one, too, and stays.
  await open(page, '/welcome')
  await button(page, 'Add an email address').click()
  const other = randomAddress()
  await page.getByLabel('Email address', { exact: true }).fill(other)
  await button(page, 'Send code').click()
  await page.getByLabel('Code', { exact: true }).fill(await mail.codeTo(other))
  await button(page, 'Confirm').click()
  await expect(page.getByRole('heading', { name: 'Add an email address' })).toBeHidden()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: other })).toBeVisible()
  await expect(page.locator('main section:focus')).toHaveCount(1)
  await expect(page).toHaveURL(/\/welcome$/)
})
