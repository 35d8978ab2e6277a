import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { member, membersOf } from '#app/organizations/members/member.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { ORGANIZATIONS, type Organization } from '#app/organizations/organization/organization.ts'

/** The two ways out: a member leaves, and an admin closes the whole. */
export function LeaveSection({ organization: { id, name }, mayManage }: { organization: Organization; mayManage: boolean }) {
  const members = useQuery(apiQuery(membersOf(id), z.array(member))).data
  const self = members?.find(({ isSelf }) => isSelf)
  const isLastAdmin = mayManage && members?.filter(({ role }) => role === 'admin').length === 1
  // The next document is for another organization.
  const done = () => window.location.assign(window.location.pathname)
  const leave = { send: async () => apiRequest('DELETE', `${membersOf(id)}/${self?.id}`), failed: 'Not left', touches: [], onDone: done }
  const close = { send: async () => apiRequest('DELETE', `${ORGANIZATIONS}/${id}`), failed: 'Not closed', touches: [], onDone: done }
  return (
    <AccountSection
      id="leave"
      title={mayManage ? 'Leave or close' : 'Leave'}
      intro={
        isLastAdmin
          ? 'You are the only admin. Make someone else an admin before you leave, or close the organization.'
          : mayManage
            ? 'Leaving ends your access immediately. Closing ends the access of all members.'
            : 'Leaving ends your access immediately.'
      }
    >
      <div className="flex flex-wrap gap-3">
        <QuestionButton
          action={leave}
          label="Leave organization"
          question={`Leave ${name}?`}
          confirm="Leave organization"
          pending="Leaving..."
          {...(isLastAdmin && { unavailable: 'You are the only admin. Make someone else an admin first, or close the organization.' })}
        >
          <p>You lose its datasets, and your API keys for it stop working. What you did stays under your name.</p>
        </QuestionButton>
        {mayManage && (
          <QuestionButton
            action={close}
            label="Close organization"
            question={`Close ${name}?`}
            confirm="Close organization"
            pending="Closing..."
          >
            <p>
              All members lose its datasets, its subscriptions end now, and all its API keys and invitations stop working. You cannot undo
              this yourself; contact us to reopen it.
            </p>
          </QuestionButton>
        )}
      </div>
    </AccountSection>
  )
}
