import { useQuery } from '@tanstack/react-query'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import { ORGANIZATIONS } from '#app/organizations/organization/organization.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { signInOf, signInRule } from './sign-in.ts'

const ANY = 'Any way to sign in'

/** With which provider members have to sign in. Hidden where the installation serves none. */
export function SignInSection({ organizationId }: { organizationId: string }) {
  const rule = useQuery(apiQuery(signInOf(organizationId), signInRule))
  // Most installations serve none, so nothing is shown before that is known: what is below would move.
  if (rule.isPending || (rule.data && rule.data.choices.length === 0 && !rule.data.provider)) return null
  return (
    <AccountSection
      id="sign-in"
      title="Sign-in"
      intro="Members who have signed in another way cannot open the organization until they sign in with this provider. API keys keep working."
    >
      {rule.isError && <Failed error={rule.error} retry={rule.refetch} />}
      {rule.data && <ProviderMenu organizationId={organizationId} {...rule.data} />}
    </AccountSection>
  )
}

type MenuProps = { organizationId: string; provider: string; choices: string[] }

/** Saved on choice. */
function ProviderMenu({ organizationId, provider, choices }: MenuProps) {
  const send = async (next: string) => apiRequest('PUT', signInOf(organizationId), { provider: next })
  const { mutate, isPending, variables } = useAction({
    send,
    done: (_answer, next) => (next ? `Members now have to sign in with ${providerName(next)}` : 'Members can sign in any way'),
    undo: () => async () => send(provider),
    failed: 'Not changed',
    touches: [ORGANIZATIONS],
  })
  // The provider may have been turned off since it was chosen.
  const shown = provider && !choices.includes(provider) ? [...choices, provider] : choices
  return (
    <Field label="Members must sign in with" name="provider">
      <Select value={isPending ? variables : provider} onChange={({ target }) => mutate(target.value)}>
        <option value="">{ANY}</option>
        {shown.map((each) => (
          <option key={each} value={each}>
            {providerName(each)}
          </option>
        ))}
      </Select>
    </Field>
  )
}
