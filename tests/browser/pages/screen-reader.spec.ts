import { signInElsewhere } from '../../support/accounts'
import { createRecoveryCodesOnPage } from '../../support/browser/account-pages'
import { expect, open, signedIn, signedInPages, test } from '../../support/browser/pages'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'

test('a screen reader finds on the profile a notice and a row for each part of the account, in this order, and a name for every control', async ({
  page,
  server,
}) => {
  const username = await signedIn(page)
  await createRecoveryCodesOnPage(page)
  await signInElsewhere(server, username)
  // Other tests' apps are everybody's, too.
  const app = await registerApp(server, CALLBACK, '--home', 'https://notes.example.com')
  await open(page, '/profile')
  await expect(page.getByRole('region')).toHaveCount(3)
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "${username}" [level=1]
      - region "Was this you?":
        - heading "Was this you?" [level=2]
        - list:
          - listitem:
            - paragraph: Sign-in from a new browser with a password
        - button "Yes, it was me"
        - link "No, secure my account"
      - region "Your apps":
        - heading "Your apps" [level=2]
        - list:
          - listitem:
            - link "${app.name}"
      - region "Account":
        - heading "Account" [level=2]
        - group "Passkeys":
          - heading "Passkeys" [level=3]:
            - link "Passkeys"
          - paragraph: None yet
        - group "Password":
          - heading "Password" [level=3]
          - paragraph:
            - text: Set on
            - time
          - button "Change password"
        - group "Recovery codes":
          - heading "Recovery codes" [level=3]
          - paragraph: 10 left
          - paragraph:
            - text: Created on
            - time
          - button "Create new codes"
        - group "Username":
          - heading "Username" [level=3]
          - paragraph: ${username}
          - button "Change username"
        - group "Where you're signed in":
          - heading "Where you're signed in" [level=3]:
            - link "Where you're signed in"
          - paragraph: On this device and in 1 other browser
        - group "Recent activity":
          - heading "Recent activity" [level=3]:
            - link "Recent activity"
          - paragraph: Signed in with a password
        - group "About you":
          - heading "About you" [level=3]:
            - link "About you"
          - paragraph: Your name, or delete the account
  `)
})

test('every page has a language, a unique title, one main landmark and one first-level heading', async ({
  page,
  server,
}) => {
  const titles = new Set<string | undefined>([undefined])
  async function expectOutline(path: string) {
    const markup = await (await page.request.get(path)).text()
    const numberOf = (tag: RegExp) => markup.match(tag)?.length ?? 0
    expect([numberOf(/<html lang="en"/g), numberOf(/<main\b/g), numberOf(/<h1\b/g)], path).toEqual([1, 1, 1])
    const title = /<title>(.+?)<\/title>/.exec(markup)?.[1]
    expect(titles, path).not.toContain(title)
    titles.add(title)
  }
  for (const path of ['/', '/signin', '/signup', '/nowhere']) await expectOutline(path)
  await signInElsewhere(server, await signedIn(page))
  for (const path of signedInPages) await expectOutline(path)
})
