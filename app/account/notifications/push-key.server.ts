import webPush from 'web-push'
import { z } from 'zod'
import { changeSecret, currentSecret } from '#app/platform/database/secrets.server.ts'

const NAME = 'web-push'

const keyPair = z.object({ publicKey: z.string(), privateKey: z.string() })

/** The keys that identify this installation to push services (VAPID, RFC 8292). The first start makes them; other ones would end all subscriptions. */
export async function pushKeys(): Promise<z.infer<typeof keyPair>> {
  const known = await currentSecret(NAME)
  const text = known ?? (await changeSecret(NAME, (present) => present ?? JSON.stringify(webPush.generateVAPIDKeys())))
  return keyPair.parse(JSON.parse(text))
}
