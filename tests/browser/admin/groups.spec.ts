import { randomName, signUp } from '../../support/accounts'
import { section, statusMessage } from '../../support/browser/account-pages'
import { confirm, expectFine, expectToFitNarrow, signInAsAdministrator } from '../../support/browser/admin-pages'
import { button, expect, open, test } from '../../support/browser/pages'
import { Client } from '../../support/client'
import { accountsJson } from '../../support/operator/accounts-command'
import { createAdministrator } from '../../support/operator/administrators'

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 844 } })

test('an administrator makes a group, adds and removes people and deletes it', async ({
  page,
  passkeys: _,
  server,
}) => {
  const admin = await signInAsAdministrator(page, server)
  const second = await createAdministrator(server)
  const { username } = await signUp(new Client(server))
  const group = `${randomName()}.x`
  const members = async (name = group) => (await accountsJson(server, 'group', 'show', name)).members

  await open(page, '/admin/groups')
  await page.getByRole('textbox', { name: 'New group' }).fill('Not a name')
  await button(page, 'Make group').click()
  await expect(page.getByText('Use 1 to')).toBeVisible()
  await expectFine(page, 'wrong-name')
  await page.getByRole('textbox', { name: 'New group' }).fill(group)
  await button(page, 'Make group').click()
  await page.waitForURL(`/admin/groups/${group}`)
  await page.getByRole('searchbox').fill(username.slice(0, -1))
  await button(page, 'Find').click()
  await button(page, `Add ${username}`).click()
  await expect(statusMessage(page, `${username} is a member now.`)).toBeVisible()
  expect(await members()).toEqual([username])
  await expect(section(page, 'Members').getByRole('link', { name: username })).toBeVisible()
  await expectFine(page, 'group')
  await expectToFitNarrow(page, 'group')
  await open(page, `/admin/groups/${group}`)
  await confirm(page, `Remove ${username}`, 'Remove')
  await expect(statusMessage(page, `${username} is no longer a member.`)).toBeVisible()
  expect(await members()).toEqual([])
  await accountsJson(server, 'app', 'add', group, 'https://app.example/callback', '--group', group)
  await page.reload()
  await expect(page.getByRole('link', { name: group, exact: true })).toHaveAttribute('href', /^\/admin\/apps\//)
  await button(page, 'Delete group').click()
  await expect(page.getByRole('dialog')).toContainText(`lose their way into ${group}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click()
  await page.waitForURL('/admin/groups')
  expect((await accountsJson(server, 'group', 'list')).groups.map(({ name }: { name: string }) => name)).not.toContain(
    group,
  )

  // Who joins the administrators needs a passkey.
  await page.getByRole('link', { name: 'admins' }).click()
  await page.waitForURL('/admin/groups/admins')
  await page.getByRole('searchbox').fill(username)
  await button(page, 'Find').click()
  await expect(page.getByText('Needs a passkey first')).toBeVisible()
  await expect(button(page, `Add ${username}`)).toHaveCount(0)
  // Who has left them finds nothing here, and is led away.
  await accountsJson(server, 'group', 'remove', 'admins', `id:${admin.id}`)
  await confirm(page, `Remove ${second.username}`, 'Remove')
  await page.waitForURL('/profile')
  expect(await members('admins')).toContain(second.username)
})
