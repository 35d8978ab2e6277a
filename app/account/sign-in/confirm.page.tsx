import type { Handle } from '#app/access.server.ts'
import { data, href, redirect } from 'react-router'
import { findAuthState } from '#app/account/session/current-user.server.ts'
import { resendLimit, verifyLimit } from '#app/auth/http/limits.server.ts'
import { addressHeader, clientHere, findSignUpHere } from '#app/auth/http/sign-up-browser.server.ts'
import { lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { type RequestContext, requestContextOf } from '#app/platform/http/request-context.server.ts'
import { sessionHeaders } from '#app/platform/http/session-cookie.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import type { Route } from './+types/confirm.page.ts'
import { AccountCard, UseLinkForm } from './account-card.tsx'
import { accounts } from '#app/account/accounts.server.ts'
import { goOn, passwordPath } from './continue.server.ts'
import { GoOn } from './continue.tsx'
import { submitEmailRequest } from './email-request.server.ts'
import { EmailRequestForm } from './email-request-form.tsx'
import { NewPasswordForm, passwordIntro } from './new-password-form.tsx'
import { AFTER_SIGN_IN } from './next.ts'
import { noticeText } from './sign-in-texts.ts'
import { secretHeaders } from './secret-page.ts'

export const handle = { access: 'public' } satisfies Handle

export const headers = secretHeaders
export const meta = () => pageMeta({ title: 'Confirm your address', index: false })

/** A GET does not use the link up: mail scanners open every link before its reader does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token_hash')
  const requestContext = requestContextOf(context)
  const client = clientHere(requestContext)
  const use = token === null ? undefined : await accounts.findUse(token, ['confirmation', 'address'], client)
  return {
    token,
    isGood: use !== undefined,
    /** The page asks for a password, which goes to the page that chooses one. */
    asked:
      token && use?.asksPassword
        ? { path: passwordPath(token, request.url), recovery: await accounts.findRecovery(token, client) }
        : undefined,
    life: lifeWords.link,
    address: findSignUpHere(requestContext)?.email,
    inbox: accounts.isInboxFor(requestContext),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const requestContext = requestContextOf(context)
  const fields = await readForm(request)
  if (fields['token_hash'] === undefined) {
    await consume(resendLimit, visitorKey(requestContext.address))
    return data(await submitEmailRequest('confirmation', fields, clientHere(requestContext)), 200)
  }
  await consume(verifyLimit, visitorKey(requestContext.address))
  return confirm(fields['token_hash'], request.url, requestContext)
}

/** Signs in only the browser that signed up, and only while nobody is signed in there. Any other browser has to choose a password. */
async function confirm(link: string, address: string, requestContext: RequestContext) {
  const authState = await findAuthState(requestContext)
  const confirmed = await accounts.confirm(link, clientHere(requestContext), { opensSession: authState.state === 'anonymous' })
  if (!confirmed) return data({ refused: 'This link has been used or has expired.' }, 422)
  if ('asksPassword' in confirmed) return redirect(passwordPath(link, address))
  const { tokens, userId, email } = confirmed
  if (tokens) return redirect(findSignUpHere(requestContext)?.next ?? AFTER_SIGN_IN, { headers: sessionHeaders(tokens) })
  if (authState.state === 'signedIn' && authState.currentUser.id !== userId) return data({ signedInAs: authState.currentUser.email })
  return goOn('confirmed', address, email === undefined ? [] : [addressHeader(email)])
}

export default function ConfirmPage({ loaderData: { token, isGood, asked, life, address, inbox }, actionData }: Route.ComponentProps) {
  if (actionData && 'target' in actionData) return <GoOn {...actionData} />
  if (actionData && 'signedInAs' in actionData) return <SignedInAsAnother email={actionData.signedInAs} />
  // A hosted service reveals only at its use whether a link is valid.
  if (isGood && token && !(actionData && 'refused' in actionData)) {
    if (asked?.recovery) {
      return (
        <AccountCard title="Confirm your address" intro={passwordIntro(asked.recovery)}>
          <NewPasswordForm action={asked.path} token={token} recovery={asked.recovery} label="Confirm this address" />
        </AccountCard>
      )
    }
    return (
      <AccountCard title="Confirm your address" intro="Click to confirm your email.">
        <UseLinkForm token={token} label="Confirm this address" />
      </AccountCard>
    )
  }
  const wish = actionData && 'email' in actionData ? actionData : undefined
  return (
    <AccountCard
      title={token ? 'This link no longer works' : 'Confirm your address'}
      intro={`${token ? `It was used, replaced by a newer link, or is more than ${life} old. ` : ''}We can send you the email again.`}
    >
      <EmailRequestForm wish={wish} address={address} inbox={inbox} action="/login/confirm">
        Send the email again
      </EmailRequestForm>
    </AccountCard>
  )
}

/** The confirmed account is not the one of this browser's session, which stays as it is. */
function SignedInAsAnother({ email }: { email: string }) {
  return (
    <AccountCard title="Done" notice={noticeText('confirmed')}>
      <p className="text-muted">This browser is signed in as {email}. Sign out to use the account that you just confirmed.</p>
      <ButtonLink to={AFTER_SIGN_IN}>Continue as {email}</ButtonLink>
      <ButtonLink to={href('/login/sign-out')} look="quiet">
        Sign out
      </ButtonLink>
    </AccountCard>
  )
}
