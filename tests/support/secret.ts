/** What tests sign with, where a server does not make a secret of its own. */
export const JWT_SECRET = 'kY0vQ2m8ZrT5xWb1sJh7LcUeN4pGdA9fVtX3oKi6RyE='
