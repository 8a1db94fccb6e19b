/** 303: a browser must not send a form, and with it a password, to another URL (RFC 9700 section 4.12). */
export const seeOther = (location: string) =>
  new Response(null, { status: 303, headers: { Location: location, 'Referrer-Policy': 'no-referrer' } })
