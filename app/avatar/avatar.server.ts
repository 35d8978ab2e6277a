import { randomUUID } from 'node:crypto'
import { accessTokenOf, clientOf } from '#app/auth/bearer.server.ts'
import { changeHostedProfile } from '#app/hosted/hosted-user.server.ts'
import { lockIfThere, updateProfile, type User } from '#app/identity/user.server.ts'
import { db, transaction, type Trx } from '#app/platform/db.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { remakePicture } from './remake.server.ts'

/** Keeps a picture that someone gave of themselves, in place of the last one. Answers where it is; each picture has an address of its own. */
export async function keepPicture(userId: string, bytes: Uint8Array, visit: Visit): Promise<string> {
  const picture = await remakePicture(bytes)
  const id = randomUUID()
  const url = `${env.SITE_URL}/avatars/${id}.webp`
  if (isHosted) await changeHostedProfile(accessTokenOf(visit), { avatar_url: url }, clientOf(visit))
  await transaction(async (trx) => {
    if (!isHosted) await updateProfile(trx, await lockPerson(trx, userId), { avatar_url: url })
    await trx
      .insertInto('avatars')
      .values({ userId, id, picture })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet({ id, picture }))
      .execute()
  })
  return url
}

/** Whoever has no picture is shown by the first letter of their name. */
export async function removePicture(userId: string, visit: Visit): Promise<void> {
  if (isHosted) await changeHostedProfile(accessTokenOf(visit), { avatar_url: null }, clientOf(visit))
  await transaction(async (trx) => {
    if (!isHosted) await updateProfile(trx, await lockPerson(trx, userId), { avatar_url: null })
    await trx.deleteFrom('avatars').where('userId', '=', userId).execute()
  })
}

export async function findPicture(id: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('avatars').select('picture').where('id', '=', id).executeTakeFirst()
  return row?.picture
}

/** What is merged is what stands there now: two changes of one profile take turns. */
async function lockPerson(trx: Trx, userId: string): Promise<User> {
  return (await lockIfThere(trx, userId)) ?? stop('notFound', 'This account is gone.')
}
