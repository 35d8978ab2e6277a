import { href } from 'react-router'
import { NotYours } from '#app/users/access-requests/not-yours.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'

const uses = ['Invite people and decide who is staff', 'Sign people out or suspend them', 'Decide access requests', 'View the audit log']

/** The owner role cannot be requested, so everyone else gets a link to their own account. */
export function OwnerOnly() {
  return (
    <NotYours
      title="Users"
      purpose="Manage people, roles and access requests."
      uses={uses}
      needs="Only owners can use this page. You can manage your own account."
    >
      <ButtonLink to={href('/account')} look="quiet">
        Open your account
      </ButtonLink>
    </NotYours>
  )
}
