import type { Api } from '#app/platform/http/http.server.ts'
import { deletionApi } from './deletion/deletion.api.ts'
import { eventsApi } from './notifications/events.api.ts'
import { notificationApi } from './notifications/notification.api.ts'
import { preferenceApi } from './notifications/preference.api.ts'
import { confirmIdentityApi } from './session/confirm-identity.api.ts'
import { recoveryCodesApi } from './session/recovery-codes.api.ts'
import { accountExportApi } from './settings/account-export.api.ts'
import { ownAccountApi } from './settings/account.api.ts'
import { avatarApi, avatarFileApi } from './settings/avatar.api.ts'
import { ownSessionApi } from './settings/own-session.api.ts'
import { loginApi } from './sign-in/login.api.ts'

export const accountApi: Api = async (app) => {
  for (const api of [loginApi, confirmIdentityApi, recoveryCodesApi, ownSessionApi]) app.register(api)
  for (const api of [ownAccountApi, avatarApi, avatarFileApi, accountExportApi, deletionApi]) app.register(api)
  for (const api of [eventsApi, notificationApi, preferenceApi]) app.register(api)
}
