import type { Handle } from '#app/access.server.ts'
import { data, href } from 'react-router'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { verifyLimit } from '#app/auth/http/limits.server.ts'
import { addressHeader } from '#app/auth/http/sign-up-browser.server.ts'
import { lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import type { Route } from './+types/new-password.page.ts'
import { AccountCard } from './account-card.tsx'
import { accounts } from '#app/account/accounts.server.ts'
import { firstPasswordForm, profileFromFields, readFields } from './credentials.ts'
import { goOn } from './continue.server.ts'
import { GoOn } from './continue.tsx'
import { NewPasswordForm, passwordIntro } from './new-password-form.tsx'
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
  const read = readFields(firstPasswordForm, fields)
  const { firstName = '', lastName = '' } = fields
  const values = { firstName, lastName }
  if (!read.value) return data({ errors: read.errors, values }, 422)
  try {
    const revokesKeys = fields['offered'] !== 'keys' || fields['keys'] === 'revoke'
    const client = clientOf(requestContext)
    const link = fields['token_hash'] ?? ''
    const email = (await accounts.findRecovery(link, client))?.email
    if (await accounts.recover(link, read.value.password, client, { revokesKeys, profile: givenNames(read.value) }))
      return goOn('new-password', request.url, email?.includes('@') ? [addressHeader(email)] : [])
    return data({ errors: {}, values, isGone: true }, 422)
  } catch (error) {
    if (error instanceof Stop) return data({ errors: { password: error.data }, values }, 422)
    throw error
  }
}

/** Empty name fields do not overwrite a stored name. */
function givenNames(names: Parameters<typeof profileFromFields>[0]): Record<string, string> {
  return Object.fromEntries(Object.entries(profileFromFields(names)).filter(([, name]) => name !== ''))
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
    <AccountCard title={recovery.isFirst ? 'Choose a password' : 'Choose a new password'} intro={passwordIntro(recovery)}>
      <NewPasswordForm token={token} recovery={recovery} errors={errors} values={actionData?.values} label="Save new password" />
    </AccountCard>
  )
}
