import { asMember, type Failure } from './auth.ts'

type Done = Promise<{ failure?: Failure }>

/** Changes to a person's own account, through the auth protocol: the same for embedded and hosted accounts. */

export function changeName(profile: { first_name: string; last_name: string }): Done {
  return asMember('Your name could not be changed', (auth) => auth.updateUser({ data: profile }))
}

/** The change is pending until it is confirmed by email. */
export function changeEmail(email: string): Done {
  return asMember('Your address could not be changed', (auth) => auth.updateUser({ email }))
}

/** `current_password` and `nonce`, an emailed code, are for services that ask for one of them. */
export function changePassword(given: { password: string; current_password?: string; nonce?: string }): Done {
  return asMember('Your password could not be changed', (auth) => auth.updateUser(given))
}

/** Sends the email with the code that some changes need. */
export function askForCode(): Done {
  return asMember('The code could not be sent', (auth) => auth.reauthenticate())
}

/** All devices but this one. */
export function signOutOthers(): Done {
  return asMember('Sign out failed', (auth) => auth.signOut({ scope: 'others' }))
}
