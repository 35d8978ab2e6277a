import { useEffect, useState } from 'react'
import { Link, useFetcher, useRevalidator } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { useIsLive } from '#app/ui/use-is-live.ts'
import type { EmailFormState } from './credentials.ts'
import { useTyped } from './email-request-form.tsx'
import { SendAgain } from './send-again.tsx'
import { loginPath } from './sign-in-texts.ts'

export type CheckEmailProps = {
  next: string | undefined
  /** The address of this browser's last sign-up. */
  address: string | undefined
  /** The pause between two emails, and what is left of it since the last one. */
  pauseSeconds: number
  leftSeconds: number
}

/** The address that the confirmation email went to, and the ways on when it does not arrive. Without script, the button leads to a page. */
export function CheckEmail({ next, address, pauseSeconds, leftSeconds }: CheckEmailProps) {
  const typed = useTyped()
  const email = typed?.email ?? address
  useLookOnReturn()
  if (email === undefined) return null
  return (
    <div className="grid gap-3 text-small">
      <p className="wrap-anywhere">
        We sent a link to <strong>{email}</strong>. It can take a minute. Check your spam folder too.
      </p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Resend email={email} pauseSeconds={pauseSeconds} leftSeconds={leftSeconds} />
        <Link to={loginPath({ mode: 'sign-up', next })} state={typed} className="link inline-flex min-h-11 items-center">
          Change address
        </Link>
      </div>
    </div>
  )
}

/** Sends the confirmation email again. */
export function Resend({ email, pauseSeconds, leftSeconds }: { email: string; pauseSeconds: number; leftSeconds: number }) {
  const { Form, state, data } = useFetcher<EmailFormState>()
  const [count, setCount] = useState(0)
  const isLive = useIsLive()
  return (
    <Form
      method="post"
      action="/login/confirm"
      noValidate
      className="flex flex-wrap items-center gap-x-4 gap-y-2"
      onSubmit={() => setCount(count + 1)}
    >
      <input type="hidden" name="email" value={email} />
      {isLive ? (
        <SendAfter key={count} seconds={count > 0 ? pauseSeconds : leftSeconds} busy={state !== 'idle'} />
      ) : (
        <Button look="quiet">Resend the email</Button>
      )}
      <span role="status" className={data?.error ? 'text-alarm' : 'text-muted'}>
        {data?.error ?? (data?.sent && 'Sent again.')}
      </span>
    </Form>
  )
}

/** Waits by this machine's clock, which may differ from the server's. */
function SendAfter({ seconds, busy }: { seconds: number; busy: boolean }) {
  const [waitUntil] = useState(() => Date.now() + seconds * 1000)
  return <SendAgain what="email" waitUntil={waitUntil} busy={busy} />
}

/** The link may have signed this browser in meanwhile, in another tab: the loader then leads on. */
function useLookOnReturn() {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const abort = new AbortController()
    const look = () => document.visibilityState === 'visible' && void revalidate()
    document.addEventListener('visibilitychange', look, { signal: abort.signal })
    return () => abort.abort()
  }, [revalidate])
}
