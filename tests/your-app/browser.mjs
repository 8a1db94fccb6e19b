import { UserManager } from 'oidc-client-ts'

const here = `${location.origin}/`
const people = new UserManager({
  authority: 'https://id.example.com',
  client_id: 'notes',
  redirect_uri: here,
  post_logout_redirect_uri: here,
  // With offline_access it stays signed in beyond an hour: the library refreshes a minute before the token expires.
  scope: 'openid profile offline_access',
})
const element = (id) => document.getElementById(id)

function show(person) {
  element('person').textContent = person ? `Signed in as ${person.profile.preferred_username}` : 'Not signed in'
  element('sign-in').hidden = person !== null
  element('sign-out').hidden = person === null
}

if (new URLSearchParams(location.search).has('state')) {
  // Whoever presses Cancel comes back with an error.
  await people.signinRedirectCallback().catch(({ message }) => console.warn(message))
  history.replaceState(null, '', here)
}
people.events.addUserLoaded(show)
element('sign-in').onclick = () => people.signinRedirect()
element('sign-out').onclick = () => people.signoutRedirect()
show(await people.getUser())
