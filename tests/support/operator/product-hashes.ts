/** Password hashes that other products made, with few rounds: Django 3.2.25 with bcrypt 3.2.2, libxcrypt, better-auth 1.7.25. */
export const productHashes = [
  {
    product: 'Django, PBKDF2PasswordHasher',
    password: 'correct horse battery staple',
    hash: 'pbkdf2_sha256$1000$WgYxacKl3UVJLXun7zhhwG$GzIT04Ofg9tCeq0U/mNSrazdRLKuxrpf0aB+kEN4Xqk=',
  },
  {
    product: 'Django, BCryptSHA256PasswordHasher',
    password: 'correct horse battery staple',
    hash: 'bcrypt_sha256$$2b$05$7LSCeY8eAY.Nh8ucQ/cSQuwoWbkY4JVjBDlM0bFcy3ILlMLS0U6WG',
  },
  {
    product: 'Django, BCryptPasswordHasher',
    password: 'correct horse battery staple',
    hash: 'bcrypt$$2b$05$e7ePFvqihSHbjAAsXkFwIO3p9FnZfgNz0rP/NGIjYY.SbC/wd88Lm',
  },
  {
    product: 'bcrypt of Python, $2a$',
    password: 'correct horse battery staple',
    hash: '$2a$05$FTemrM3MYzAS59FizXzwF.US72FB35bD7YB4Cds8WQ8lZE93972Ai',
  },
  {
    product: 'libxcrypt, $2y$ as PHP writes it',
    password: 'correct horse battery staple',
    hash: '$2y$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS',
  },
  {
    product: 'better-auth',
    password: 'correct horse battery staple',
    hash: 'c65904062fb6d89bcdccdf6554e8742b:819e92df5fa5bc6b8f44b7b0b9657b993e9955bdb4cd6a3c9cf87a76da5fe5309569480a656cd63011739ee452877582cdf9f7aa9737b5af0e248e0705124e76',
  },
  {
    product: 'Django, PBKDF2PasswordHasher, decomposed',
    password: 'pâsswörd ångström'.normalize('NFD'),
    hash: 'pbkdf2_sha256$1000$PbubrZ04j5DeXZOhLRlWb8$kDx7dGdf92oOoNAOgVFOODfVmW21bY6J7TpR7SPWkHw=',
  },
  {
    product: 'Django, BCryptSHA256PasswordHasher, decomposed',
    password: 'pâsswörd ångström'.normalize('NFD'),
    hash: 'bcrypt_sha256$$2b$05$vA1oODaAf8ZEOUY6yXgy2OYDnduL.VsxinSSVvscfmsN6eDA94UIK',
  },
  {
    product: 'better-auth, a ligature',
    password: 'ofﬁce ångström',
    hash: '55ca4c25f183057988f2709c30c12583:3409b364699545ec23deaf9d1e7b5b82cfda534690fddea43e9903da5bc98f8ce98f665c5eb5ee5dfc99c7e304fcf41eacdb95b6118caa01780ac50a64fe49ed',
  },
  {
    product: 'Django, PBKDF2PasswordHasher, more than 72 bytes',
    password: `${'é'.repeat(36)}${'x'.repeat(20)}tail`,
    hash: 'pbkdf2_sha256$1000$A5WHU6lIGTwmhY4A2FaSoy$E6m3hrnQR7r/wTnEtIsHNUCxq89mvQfIriAx+wtlfCQ=',
  },
  {
    product: 'Django, BCryptSHA256PasswordHasher, more than 72 bytes',
    password: `${'é'.repeat(36)}${'x'.repeat(20)}tail`,
    hash: 'bcrypt_sha256$$2b$05$LED19h0Xk7MqQ9sp7XVHNORjOG8Twl20hzYyFqaI6qEaZGFhq6o9S',
  },
  {
    product: 'bcrypt of Python, more than 72 bytes',
    password: `${'é'.repeat(36)}${'x'.repeat(20)}tail`,
    hash: '$2a$05$da2JEWc/jQxerkjvOb2tNOwq1jpf7vzQiQrEA3wMho2z/RrupmzEu',
  },
]
