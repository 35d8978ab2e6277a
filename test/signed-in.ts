import { signAccessToken } from '#app/auth/sessions/jwt.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'

/** The headers of a program that is signed in with a new account of this role. */
export async function signedInAs(role: 'customer' | 'staff' | 'owner'): Promise<{ authorization: string }> {
  const user = await insert(db, 'users', {
    email: `${newId()}@example.com`,
    emailConfirmedAt: new Date(),
    appMetadata: JSON.stringify({ role }),
  })
  const session = await insert(db, 'sessions', { userId: user.id })
  const { token } = await signAccessToken(user, session)
  return { authorization: `Bearer ${token}` }
}
