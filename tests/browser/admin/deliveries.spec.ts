import { randomName, signUp } from '../../support/accounts'
import { statusMessage } from '../../support/browser/account-pages'
import { expectFine, expectToFitNarrow, signInAsAdministrator } from '../../support/browser/admin-pages'
import { test as base, button, expect, open } from '../../support/browser/pages'
import { Client } from '../../support/client'
import { type MailServer, mailEnv, startMailServer } from '../../support/network/mail-server'

const test = base.extend<{ mail: MailServer & { refuses: boolean } }>({
  mail: async ({ keep }, use) =>
    use(
      await keep('mail-server', async (onEnd) => {
        const state = { refuses: true }
        const refusal = Object.assign(new Error('no such person'), { responseCode: 550 })
        const mail = await startMailServer({
          onRcptTo: (_address, _session, done) => (state.refuses ? done(refusal) : done()),
        })
        onEnd(() => mail.stop())
        return Object.assign(state, mail)
      }),
    ),
  server: async ({ startShared, mail }, use) => use(await startShared({ env: mailEnv(mail.port) })),
})

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 844 } })

test('an administrator sees which letter has failed and why, tries the mail server, and sends the letter again once it takes letters', async ({
  page,
  passkeys: _,
  server,
  mail,
}) => {
  await signInAsAdministrator(page, server)
  await open(page, '/admin/deliveries')
  await expect(page.getByRole('heading', { name: 'Everything was delivered' })).toBeVisible()
  const person = new Client(server)
  await signUp(person)
  const address = `${randomName()}@example.com`
  expect((await person.post('/api/i/email', { email: address })).status).toBe(202)
  const letter = page.getByRole('listitem').filter({ hasText: 'Email: Confirm your email address' })
  await expect(async () => {
    await page.reload()
    await expect(letter).toContainText('answered 550', { timeout: 100 })
  }).toPass()
  await expect(letter).toContainText('failed')
  await expect(letter).not.toContainText(address)

  const own = `${randomName()}@example.com`
  await page.getByRole('textbox', { name: 'Email address' }).fill(own)
  await button(page, 'Send an email').click()
  await expect(
    page.getByText("The mail server didn't take it: answered 550. It takes no email from MAIL_FROM"),
  ).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email address' })).toBeFocused()
  await expectFine(page, 'refused')
  mail.refuses = false
  await button(page, 'Send an email').click()
  await expect(statusMessage(page, `The mail server took the email to ${own}.`)).toBeVisible()
  expect((await mail.to(own))[0]?.subject).toBe('Latchkey: Email arrives')
  await button(page, 'Try again: Email: Confirm your email address').click()
  await expect(statusMessage(page, 'It goes out again now.')).toBeVisible()
  await mail.to(address)
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Everything was delivered' })).toBeVisible({ timeout: 100 })
  }).toPass()
  await expectToFitNarrow(page, 'deliveries')

  // It takes an invitation to the invited, too.
  await open(page, '/admin/invitations?invite')
  const guest = `${randomName()}@example.com`
  await page.getByRole('textbox', { name: 'Email address' }).fill(guest)
  await button(page, 'Make the invitation').click()
  await expect(page.getByText(`It is also on its way to ${guest}.`)).toBeVisible()
  expect((await mail.to(guest))[0]?.subject).toBe('Latchkey: Your invitation')
})
