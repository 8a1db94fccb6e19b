const latchkey = 'https://id.example.com'
const ask = (path) => fetch(latchkey + path, { method: 'POST', credentials: 'include' })
const element = (id) => document.getElementById(id)

/** The signed-in account, or null. */
async function currentAccount() {
  const response = await ask('/api/i')
  if (response.status === 401) return null
  if (!response.ok) throw new Error(`Latchkey answered ${response.status}`)
  return response.json()
}

let access

/** Calls this app's own API with an access token, which is good for five minutes. */
async function callApi(path) {
  const left = access ? Date.parse(access.expiresAt) - Date.now() : 0
  if (left < 30_000) access = await (await ask('/api/token')).json()
  return fetch(path, { headers: { Authorization: `Bearer ${access.token}` } })
}

const account = await currentAccount()
if (account) {
  const { username } = await (await callApi('/api/me')).json()
  element('person').textContent = `Signed in as ${username}`
} else {
  element('person').textContent = 'Not signed in'
  element('sign-in').href = `${latchkey}/signin?${new URLSearchParams({ next: location.href })}`
}
element('sign-in').hidden = account !== null
element('sign-out').hidden = account === null
element('sign-out').onclick = () => ask('/api/signout').then(() => location.reload())
