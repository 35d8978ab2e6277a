import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { organizationPage, STAFF_ORGANIZATIONS } from './staff-organization.ts'

const MOST_SUGGESTED = 8

type OrganizationFieldProps = {
  label: string
  name: string
  hint: string
  optional?: boolean
  /** Its reference. */
  defaultValue?: string
  /** The one that cannot be chosen. */
  butId?: string
}

/** Takes the reference of an organization, and suggests those whose name, reference or member is typed. */
export function OrganizationField({ label, name, hint, optional = false, defaultValue = '', butId }: OrganizationFieldProps) {
  const [text, setText] = useState(defaultValue)
  const listId = useId()
  const q = text.trim()
  const url = `${STAFF_ORGANIZATIONS}?limit=${MOST_SUGGESTED}&q=${encodeURIComponent(q)}`
  const found = useQuery({
    ...apiQuery(url, organizationPage),
    enabled: q.length > 1 && q.length <= 200,
    placeholderData: keepPreviousData,
  })
  const suggested = found.data?.organizations.filter(({ id, state }) => id !== butId && state !== 'closed') ?? []
  return (
    <>
      <Field label={label} name={name} hint={hint} optional={optional}>
        <Input list={listId} autoComplete="off" defaultValue={defaultValue} onChange={({ target }) => setText(target.value)} />
      </Field>
      <datalist id={listId}>
        {suggested.map(({ reference, name: title }) => (
          <option key={reference} value={reference}>
            {title}
          </option>
        ))}
      </datalist>
    </>
  )
}
