import { useState } from 'react'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { SignInAgain } from '#app/organizations/sign-in/sign-in-first.tsx'
import {
  newOrganizationBody,
  ORGANIZATIONS,
  organization,
  type OwnOrganization,
  roleNames,
} from '#app/organizations/organization/organization.ts'
import { switchOrganization } from '#app/organizations/organization/switch-organization.ts'

/** Whose datasets, keys and requests this browser works with, and the button that founds another organization. */
export function OwnOrganizations({ organizations }: { organizations: OwnOrganization[] }) {
  const [isFounding, setFounding] = useState(false)
  return (
    <AccountSection
      id="organizations"
      title="Your organizations"
      intro="Datasets, API keys and requests belong to an organization. You work for one at a time. “Personal” is only you."
    >
      <ul className="divide-y divide-line border-y border-line">
        {organizations.map((each) => (
          <Organization key={each.id} organization={each} />
        ))}
      </ul>
      <Button type="button" look="quiet" className="justify-self-start" onClick={() => setFounding(true)}>
        Create organization
      </Button>
      {isFounding && <FoundDialog close={() => setFounding(false)} />}
    </AccountSection>
  )
}

function Organization({
  organization: { id, reference, name, role, state, isPersonal, isCurrent, signInWith },
}: {
  organization: OwnOrganization
}) {
  const work = { send: async () => switchOrganization(id), failed: 'Not switched', touches: [] }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <span className="wrap-anywhere">{name}</span>
          {isCurrent && <Badge look="leaf">Current</Badge>}
          {signInWith && <Badge look="grain">{`Needs ${providerName(signInWith)}`}</Badge>}
          {state === 'suspended' && <Badge look="alarm">Suspended</Badge>}
        </p>
        <p className="text-small text-muted">
          {isPersonal ? 'Only you' : roleNames[role].label}
          {reference && <span className="font-mono text-fine"> · {reference}</span>}
        </p>
      </div>
      {!isCurrent && signInWith && (
        <SignInAgain size="small" aria-label={`Sign in with ${providerName(signInWith)} for ${name}`}>
          Sign in with {providerName(signInWith)}
        </SignInAgain>
      )}
      {!isCurrent && !signInWith && (
        <ActionButton action={work} size="small" aria-label={`Switch to ${name}`} pending="Switching...">
          Switch
        </ActionButton>
      )}
    </li>
  )
}

function FoundDialog({ close }: { close: () => void }) {
  const form = useForm({
    schema: newOrganizationBody,
    read: ({ name }, given) => ({ name, moveOwn: given.has('moveOwn') }),
    send: async (body) => organization.parse(await (await apiRequest('POST', ORGANIZATIONS, body)).json()),
    failed: 'Organization not created',
    touches: [ORGANIZATIONS],
    onDone: async ({ id }) => switchOrganization(id),
  })
  return (
    <FormDialog form={form} onClose={close} title="Create organization" submit="Create organization" pending="Creating...">
      <p className="text-small text-muted">For your company. You become its admin and can invite colleagues.</p>
      <Field label="Name" name="name">
        <Input autoComplete="organization" />
      </Field>
      <label className="flex min-h-11 items-center gap-3 text-small">
        <input type="checkbox" name="moveOwn" className="size-5 shrink-0 accent-grain-text" />
        Move my datasets, requests and API keys to it
      </label>
    </FormDialog>
  )
}
