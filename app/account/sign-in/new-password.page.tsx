import type { Handle } from '#app/access.server.ts'
import { data, href } from 'react-router'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { verifyLimit } from '#app/auth/http/limits.server.ts'
import { lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Route } from './+types/new-password.page.ts'
import { AccountCard } from './account-card.tsx'
import { accounts } from '#app/account/accounts.server.ts'
import { newPasswordForm, readFields } from './credentials.ts'
import { goOn } from './continue.server.ts'
import { GoOn } from './continue.tsx'
import { PasswordField, passwordHint } from './password-field.tsx'
import { secretHeaders } from './secret-page.ts'

export const handle = { access: 'public', hydration: 'page' } satisfies Handle
export const headers = secretHeaders
export const meta = () => pageMeta({ title: 'Choose a new password', index: false })

/** A GET does not use the link up: mail scanners open every link before its reader does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token_hash') ?? ''
  return { token, life: lifeWords.link, recovery: await accounts.findRecovery(token, clientOf(requestContextOf(context))) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const requestContext = requestContextOf(context)
  await consume(verifyLimit, visitorKey(requestContext.address))
  const fields = await readForm(request)
  const read = readFields(newPasswordForm, fields)
  if (!read.value) return data({ errors: read.errors }, 422)
  try {
    const revokesKeys = fields['offered'] !== 'keys' || fields['keys'] === 'revoke'
    if (await accounts.recover(fields['token_hash'] ?? '', read.value.password, clientOf(requestContext), { revokesKeys }))
      return goOn('new-password', request.url)
    return data({ errors: {}, isGone: true }, 422)
  } catch (error) {
    if (error instanceof Stop) return data({ errors: { password: error.data } }, 422)
    throw error
  }
}

export default function NewPasswordPage({ loaderData: { token, life, recovery }, actionData }: Route.ComponentProps) {
  if (actionData && 'target' in actionData) return <GoOn {...actionData} />
  if (!recovery || (actionData && 'isGone' in actionData)) {
    return (
      <AccountCard title="This link no longer works" intro={`It was used, replaced by a newer link, or is more than ${life} old.`}>
        <ButtonLink to={href('/login/forgot-password')}>Request a new link</ButtonLink>
      </AccountCard>
    )
  }
  const errors: Record<string, string> = actionData?.errors ?? {}
  return (
    <AccountCard
      title={recovery.isFirst ? 'Choose a password' : 'Choose a new password'}
      intro={recovery.isFirst ? 'You’ll use it to sign in.' : 'This signs out all your devices.'}
    >
      <form method="post" noValidate className="grid gap-5">
        <input type="hidden" name="token_hash" value={token} />
        <PasswordField
          label="New Password"
          name="password"
          id="new-password"
          error={errors['password']}
          hint={passwordHint(recovery.leastLength)}
          autoComplete="new-password"
        />
        <PasswordField
          label="Confirm New Password"
          name="confirmPassword"
          id="confirm-new-password"
          error={errors['confirmPassword']}
          autoComplete="new-password"
        />
        {recovery.keys > 0 && (
          <label className="flex min-h-11 items-center gap-3">
            <input type="hidden" name="offered" value="keys" />
            <input type="checkbox" name="keys" value="revoke" defaultChecked className="size-5 shrink-0 accent-grain-text" />
            {recovery.keys === 1 ? 'Revoke my API key as well' : `Revoke my ${recovery.keys} API keys as well`}
          </label>
        )}
        <Button>Save new password</Button>
      </form>
    </AccountCard>
  )
}
