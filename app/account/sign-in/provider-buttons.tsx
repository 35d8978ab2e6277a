import { useState, useSyncExternalStore } from 'react'
import { signInElsewhere } from '#app/account/session/provider-auth.ts'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import type { ServedProvider } from '#app/auth/providers/served-providers.ts'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.ts'

const never = () => () => undefined

/** The sign-in providers. The redirect needs JavaScript, so the buttons appear only on a live page. */
export function ProviderButtons({ providers, next }: { providers: ServedProvider[]; next: string }) {
  const [leaving, setLeaving] = useState<ServedProvider>()
  const live = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  if (!live || providers.length === 0) return null

  async function leave(provider: ServedProvider) {
    setLeaving(provider)
    const { failure } = await signInElsewhere(provider, next)
    if (!failure) return
    setLeaving(undefined)
    toast({ title: 'Sign In Failed', description: failure.message, look: 'danger' })
  }
  return (
    <div className="grid gap-3 border-t border-line pt-5">
      {providers.map((provider) => (
        <Button key={provider} type="button" look="quiet" busy={leaving === provider} onClick={() => void leave(provider)}>
          Continue with {providerName(provider)}
        </Button>
      ))}
    </div>
  )
}
