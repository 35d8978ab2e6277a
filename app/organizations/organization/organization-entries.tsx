import { DropdownMenu } from 'radix-ui'
import { useEffect, useState } from 'react'
import { z } from 'zod/mini'
import { menuItem } from '#app/account/session/user-menu-list.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { ORGANIZATIONS, type OwnOrganization, ownOrganization } from './organization.ts'
import { switchOrganization } from './switch-organization.ts'

/** The organizations of a person in the user menu; nothing for a person alone. They are asked for when the menu opens. */
export function OrganizationEntries() {
  const [organizations, setOrganizations] = useState<OwnOrganization[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    findOwn(leaving.signal).then(setOrganizations, () => undefined)
    return () => leaving.abort()
  }, [])
  if (organizations.length < 2) return null
  return (
    <>
      <DropdownMenu.Label className="px-3 pt-1 text-fine text-muted">Work for</DropdownMenu.Label>
      {/* A person can be in 30 of them: they scroll, so that the entries around them stay in sight. */}
      <DropdownMenu.RadioGroup
        value={organizations.find(({ isCurrent }) => isCurrent)?.id ?? ''}
        onValueChange={choose}
        className="max-h-60 overflow-y-auto overscroll-contain"
      >
        {organizations.map(({ id, name, isCurrent }) => (
          <DropdownMenu.RadioItem key={id} value={id} className={`${menuItem} justify-between gap-2`}>
            <span className="min-w-0 truncate" title={name}>
              {name}
            </span>
            {isCurrent && <span aria-hidden="true">✓</span>}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
    </>
  )
}

async function findOwn(signal: AbortSignal): Promise<OwnOrganization[]> {
  return z.array(ownOrganization).parse(await (await apiRequest('GET', ORGANIZATIONS, undefined, { signal })).json())
}

function choose(id: string) {
  switchOrganization(id).catch((error: unknown) => showFailure('Not switched', error instanceof Error ? error : new Error('Not switched')))
}
