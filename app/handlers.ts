/*
 * Written by `npm run generate`: what server.ts answers without Next, the route file of each path of the table of endpoints.
 * A row without its handler, or a handler at another path, does not compile.
 */

import type { Handlers } from '@/lib/http/route'
import * as wellKnownAppleAppSiteAssociation from './.well-known/apple-app-site-association/route'
import * as wellKnownAssetlinksJson from './.well-known/assetlinks.json/route'
import * as wellKnownChangePassword from './.well-known/change-password/route'
import * as wellKnownJwksJson from './.well-known/jwks.json/route'
import * as wellKnownOauthAuthorizationServer from './.well-known/oauth-authorization-server/route'
import * as wellKnownOpenidConfiguration from './.well-known/openid-configuration/route'
import * as wellKnownPasskeyEndpoints from './.well-known/passkey-endpoints/route'
import * as wellKnownWebauthn from './.well-known/webauthn/route'
import * as apiAccess from './api/access/route'
import * as apiAdminAccounts from './api/admin/accounts/route'
import * as apiAdminAccountsDelete from './api/admin/accounts/delete/route'
import * as apiAdminAccountsDisable from './api/admin/accounts/disable/route'
import * as apiAdminAccountsEmail from './api/admin/accounts/email/route'
import * as apiAdminAccountsEnable from './api/admin/accounts/enable/route'
import * as apiAdminAccountsEndSession from './api/admin/accounts/end-session/route'
import * as apiAdminAccountsName from './api/admin/accounts/name/route'
import * as apiAdminAccountsRecoveryCode from './api/admin/accounts/recovery-code/route'
import * as apiAdminAccountsRemovePasskey from './api/admin/accounts/remove-passkey/route'
import * as apiAdminAccountsRename from './api/admin/accounts/rename/route'
import * as apiAdminAccountsShow from './api/admin/accounts/show/route'
import * as apiAdminAccountsSignOut from './api/admin/accounts/sign-out/route'
import * as apiAdminApis from './api/admin/apis/route'
import * as apiAdminApisAdd from './api/admin/apis/add/route'
import * as apiAdminApisChange from './api/admin/apis/change/route'
import * as apiAdminApisDelete from './api/admin/apis/delete/route'
import * as apiAdminApisShow from './api/admin/apis/show/route'
import * as apiAdminApply from './api/admin/apply/route'
import * as apiAdminApps from './api/admin/apps/route'
import * as apiAdminAppsAdd from './api/admin/apps/add/route'
import * as apiAdminAppsChange from './api/admin/apps/change/route'
import * as apiAdminAppsDelete from './api/admin/apps/delete/route'
import * as apiAdminAppsNewSecret from './api/admin/apps/new-secret/route'
import * as apiAdminAppsShow from './api/admin/apps/show/route'
import * as apiAdminDeliveries from './api/admin/deliveries/route'
import * as apiAdminDeliveriesRetry from './api/admin/deliveries/retry/route'
import * as apiAdminDump from './api/admin/dump/route'
import * as apiAdminGroups from './api/admin/groups/route'
import * as apiAdminGroupsAdd from './api/admin/groups/add/route'
import * as apiAdminGroupsDelete from './api/admin/groups/delete/route'
import * as apiAdminGroupsRemove from './api/admin/groups/remove/route'
import * as apiAdminGroupsShow from './api/admin/groups/show/route'
import * as apiAdminInvitations from './api/admin/invitations/route'
import * as apiAdminInvitationsAdd from './api/admin/invitations/add/route'
import * as apiAdminInvitationsWithdraw from './api/admin/invitations/withdraw/route'
import * as apiAdminKeys from './api/admin/keys/route'
import * as apiAdminKeysAdd from './api/admin/keys/add/route'
import * as apiAdminKeysDelete from './api/admin/keys/delete/route'
import * as apiAdminLettersTry from './api/admin/letters/try/route'
import * as apiAdminLog from './api/admin/log/route'
import * as apiAdminStats from './api/admin/stats/route'
import * as apiAppIcon from './api/app-icon/route'
import * as apiAuthLoginOptions from './api/auth/login/options/route'
import * as apiAuthLoginVerify from './api/auth/login/verify/route'
import * as apiAuthRegisterOptions from './api/auth/register/options/route'
import * as apiAuthRegisterVerify from './api/auth/register/verify/route'
import * as apiDeliver from './api/deliver/route'
import * as apiForwardAuth from './api/forward-auth/route'
import * as apiHealth from './api/health/route'
import * as apiI from './api/i/route'
import * as apiIApps from './api/i/apps/route'
import * as apiIAppsRevoke from './api/i/apps/revoke/route'
import * as apiIDelete from './api/i/delete/route'
import * as apiIEmail from './api/i/email/route'
import * as apiIEmailRemove from './api/i/email/remove/route'
import * as apiIEmailVerify from './api/i/email/verify/route'
import * as apiIEvents from './api/i/events/route'
import * as apiIHint from './api/i/hint/route'
import * as apiIName from './api/i/name/route'
import * as apiINotices from './api/i/notices/route'
import * as apiINoticesDismiss from './api/i/notices/dismiss/route'
import * as apiIPasskeysRemove from './api/i/passkeys/remove/route'
import * as apiIPasskeysRename from './api/i/passkeys/rename/route'
import * as apiIPassword from './api/i/password/route'
import * as apiIPasswordRemove from './api/i/password/remove/route'
import * as apiIRecoveryCodes from './api/i/recovery-codes/route'
import * as apiIRecoveryStop from './api/i/recovery/stop/route'
import * as apiISessions from './api/i/sessions/route'
import * as apiISessionsRevoke from './api/i/sessions/revoke/route'
import * as apiISignoutEverywhere from './api/i/signout-everywhere/route'
import * as apiIUsername from './api/i/username/route'
import * as apiOauthAuthorize from './api/oauth/authorize/route'
import * as apiOauthConsent from './api/oauth/consent/route'
import * as apiOauthDevice from './api/oauth/device/route'
import * as apiOauthDeviceAnswer from './api/oauth/device/answer/route'
import * as apiOauthDeviceRequest from './api/oauth/device/request/route'
import * as apiOauthLogout from './api/oauth/logout/route'
import * as apiOauthLogoutConfirm from './api/oauth/logout/confirm/route'
import * as apiOauthLogoutRequest from './api/oauth/logout/request/route'
import * as apiOauthRequest from './api/oauth/request/route'
import * as apiOauthRevoke from './api/oauth/revoke/route'
import * as apiOauthToken from './api/oauth/token/route'
import * as apiOauthUserinfo from './api/oauth/userinfo/route'
import * as apiOpenapiJson from './api/openapi.json/route'
import * as apiRecover from './api/recover/route'
import * as apiRecoverConfirm from './api/recover/confirm/route'
import * as apiRecoverOptions from './api/recover/options/route'
import * as apiRecoverPasskey from './api/recover/passkey/route'
import * as apiRecoverPassword from './api/recover/password/route'
import * as apiRecoverShow from './api/recover/show/route'
import * as apiRecoverStop from './api/recover/stop/route'
import * as apiSignin from './api/signin/route'
import * as apiSigninRecovery from './api/signin/recovery/route'
import * as apiSignout from './api/signout/route'
import * as apiSignup from './api/signup/route'
import * as apiToken from './api/token/route'
import * as brandLogo from './brand/logo/route'
import * as brandLogoDark from './brand/logo-dark/route'

export const handlers: Handlers = {
  '/.well-known/apple-app-site-association': wellKnownAppleAppSiteAssociation,
  '/.well-known/assetlinks.json': wellKnownAssetlinksJson,
  '/.well-known/change-password': wellKnownChangePassword,
  '/.well-known/jwks.json': wellKnownJwksJson,
  '/.well-known/oauth-authorization-server': wellKnownOauthAuthorizationServer,
  '/.well-known/openid-configuration': wellKnownOpenidConfiguration,
  '/.well-known/passkey-endpoints': wellKnownPasskeyEndpoints,
  '/.well-known/webauthn': wellKnownWebauthn,
  '/api/access': apiAccess,
  '/api/admin/accounts': apiAdminAccounts,
  '/api/admin/accounts/delete': apiAdminAccountsDelete,
  '/api/admin/accounts/disable': apiAdminAccountsDisable,
  '/api/admin/accounts/email': apiAdminAccountsEmail,
  '/api/admin/accounts/enable': apiAdminAccountsEnable,
  '/api/admin/accounts/end-session': apiAdminAccountsEndSession,
  '/api/admin/accounts/name': apiAdminAccountsName,
  '/api/admin/accounts/recovery-code': apiAdminAccountsRecoveryCode,
  '/api/admin/accounts/remove-passkey': apiAdminAccountsRemovePasskey,
  '/api/admin/accounts/rename': apiAdminAccountsRename,
  '/api/admin/accounts/show': apiAdminAccountsShow,
  '/api/admin/accounts/sign-out': apiAdminAccountsSignOut,
  '/api/admin/apis': apiAdminApis,
  '/api/admin/apis/add': apiAdminApisAdd,
  '/api/admin/apis/change': apiAdminApisChange,
  '/api/admin/apis/delete': apiAdminApisDelete,
  '/api/admin/apis/show': apiAdminApisShow,
  '/api/admin/apply': apiAdminApply,
  '/api/admin/apps': apiAdminApps,
  '/api/admin/apps/add': apiAdminAppsAdd,
  '/api/admin/apps/change': apiAdminAppsChange,
  '/api/admin/apps/delete': apiAdminAppsDelete,
  '/api/admin/apps/new-secret': apiAdminAppsNewSecret,
  '/api/admin/apps/show': apiAdminAppsShow,
  '/api/admin/deliveries': apiAdminDeliveries,
  '/api/admin/deliveries/retry': apiAdminDeliveriesRetry,
  '/api/admin/dump': apiAdminDump,
  '/api/admin/groups': apiAdminGroups,
  '/api/admin/groups/add': apiAdminGroupsAdd,
  '/api/admin/groups/delete': apiAdminGroupsDelete,
  '/api/admin/groups/remove': apiAdminGroupsRemove,
  '/api/admin/groups/show': apiAdminGroupsShow,
  '/api/admin/invitations': apiAdminInvitations,
  '/api/admin/invitations/add': apiAdminInvitationsAdd,
  '/api/admin/invitations/withdraw': apiAdminInvitationsWithdraw,
  '/api/admin/keys': apiAdminKeys,
  '/api/admin/keys/add': apiAdminKeysAdd,
  '/api/admin/keys/delete': apiAdminKeysDelete,
  '/api/admin/letters/try': apiAdminLettersTry,
  '/api/admin/log': apiAdminLog,
  '/api/admin/stats': apiAdminStats,
  '/api/app-icon': apiAppIcon,
  '/api/auth/login/options': apiAuthLoginOptions,
  '/api/auth/login/verify': apiAuthLoginVerify,
  '/api/auth/register/options': apiAuthRegisterOptions,
  '/api/auth/register/verify': apiAuthRegisterVerify,
  '/api/deliver': apiDeliver,
  '/api/forward-auth': apiForwardAuth,
  '/api/health': apiHealth,
  '/api/i': apiI,
  '/api/i/apps': apiIApps,
  '/api/i/apps/revoke': apiIAppsRevoke,
  '/api/i/delete': apiIDelete,
  '/api/i/email': apiIEmail,
  '/api/i/email/remove': apiIEmailRemove,
  '/api/i/email/verify': apiIEmailVerify,
  '/api/i/events': apiIEvents,
  '/api/i/hint': apiIHint,
  '/api/i/name': apiIName,
  '/api/i/notices': apiINotices,
  '/api/i/notices/dismiss': apiINoticesDismiss,
  '/api/i/passkeys/remove': apiIPasskeysRemove,
  '/api/i/passkeys/rename': apiIPasskeysRename,
  '/api/i/password': apiIPassword,
  '/api/i/password/remove': apiIPasswordRemove,
  '/api/i/recovery-codes': apiIRecoveryCodes,
  '/api/i/recovery/stop': apiIRecoveryStop,
  '/api/i/sessions': apiISessions,
  '/api/i/sessions/revoke': apiISessionsRevoke,
  '/api/i/signout-everywhere': apiISignoutEverywhere,
  '/api/i/username': apiIUsername,
  '/api/oauth/authorize': apiOauthAuthorize,
  '/api/oauth/consent': apiOauthConsent,
  '/api/oauth/device': apiOauthDevice,
  '/api/oauth/device/answer': apiOauthDeviceAnswer,
  '/api/oauth/device/request': apiOauthDeviceRequest,
  '/api/oauth/logout': apiOauthLogout,
  '/api/oauth/logout/confirm': apiOauthLogoutConfirm,
  '/api/oauth/logout/request': apiOauthLogoutRequest,
  '/api/oauth/request': apiOauthRequest,
  '/api/oauth/revoke': apiOauthRevoke,
  '/api/oauth/token': apiOauthToken,
  '/api/oauth/userinfo': apiOauthUserinfo,
  '/api/openapi.json': apiOpenapiJson,
  '/api/recover': apiRecover,
  '/api/recover/confirm': apiRecoverConfirm,
  '/api/recover/options': apiRecoverOptions,
  '/api/recover/passkey': apiRecoverPasskey,
  '/api/recover/password': apiRecoverPassword,
  '/api/recover/show': apiRecoverShow,
  '/api/recover/stop': apiRecoverStop,
  '/api/signin': apiSignin,
  '/api/signin/recovery': apiSigninRecovery,
  '/api/signout': apiSignout,
  '/api/signup': apiSignup,
  '/api/token': apiToken,
  '/brand/logo': brandLogo,
  '/brand/logo-dark': brandLogoDark,
}
