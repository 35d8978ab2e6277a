import { z } from 'zod'
import { changeSecret, currentSecret } from '#app/platform/database/secrets.server.ts'

const NAME = 'web-push'

const keyPair = z.object({ publicKey: z.string(), privateKey: z.string() })

/** The keys that identify this installation to push services (VAPID, RFC 8292). The first start makes them; other ones would end all subscriptions. */
export async function pushKeys(): Promise<z.infer<typeof keyPair>> {
  const text = (await currentSecret(NAME)) ?? (await makeKeys())
  return keyPair.parse(JSON.parse(text))
}

async function makeKeys(): Promise<string> {
  const { default: webPush } = await import('web-push')
  return changeSecret(NAME, (present) => present ?? JSON.stringify(webPush.generateVAPIDKeys()))
}
