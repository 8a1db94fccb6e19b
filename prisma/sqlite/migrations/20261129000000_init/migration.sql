-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "usernameKey" TEXT NOT NULL,
    "passwordHash" TEXT,
    "sessionEpoch" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "userHandle" TEXT,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "passwordSetAt" DATETIME,
    "recoveryCodesMadeAt" DATETIME,
    "email" TEXT,
    "renamedAt" BIGINT,
    "displayName" TEXT,
    "displayNameKey" TEXT,
    "language" TEXT,
    "emailProvedAt" BIGINT
);

-- CreateTable
CREATE TABLE "Identifier" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "username" BOOLEAN NOT NULL DEFAULT false,
    "email" BOOLEAN NOT NULL DEFAULT false,
    "former" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "Identifier_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "EmailCode" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "rootId" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "digest" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "expiresAt" BIGINT NOT NULL,
    CONSTRAINT "EmailCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Recovery" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "browser" TEXT NOT NULL,
    "stopDigest" TEXT,
    "readyAt" BIGINT,
    "expiresAt" BIGINT NOT NULL,
    CONSTRAINT "Recovery_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RetiredUsername" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "Group" (
    "name" TEXT NOT NULL PRIMARY KEY
);

-- CreateTable
CREATE TABLE "Membership" (
    "userId" TEXT NOT NULL,
    "groupName" TEXT NOT NULL,

    PRIMARY KEY ("userId", "groupName"),
    CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Membership_groupName_fkey" FOREIGN KEY ("groupName") REFERENCES "Group" ("name") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Passkey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "publicKey" BLOB NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT NOT NULL,
    "deviceType" TEXT NOT NULL,
    "backedUp" BOOLEAN NOT NULL,
    "aaguid" TEXT NOT NULL,
    "userVerified" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" DATETIME,
    "type" TEXT NOT NULL DEFAULT 'public-key',
    "createdConditionally" BOOLEAN NOT NULL DEFAULT false,
    "userHandle" TEXT,
    "rootId" TEXT,
    CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "rootId" TEXT,
    "expiresAt" BIGINT,
    "madeBy" TEXT,
    CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "RecoveryCode_madeBy_fkey" FOREIGN KEY ("madeBy") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Event" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "method" TEXT,
    "browser" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "at" BIGINT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'changes',
    "newBrowser" BOOLEAN NOT NULL DEFAULT false,
    "app" TEXT,
    "byPasskey" BOOLEAN NOT NULL DEFAULT false,
    "dismissed" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "Event_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "method" TEXT NOT NULL,
    "passkeyId" TEXT,
    "browser" TEXT,
    "openedAt" BIGINT NOT NULL,
    "expiresAt" BIGINT NOT NULL,
    "rootId" TEXT,
    "lastActiveAt" BIGINT,
    CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ConsumedToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "RateLimit" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "window" BIGINT NOT NULL,
    "count" INTEGER NOT NULL,
    "previous" INTEGER NOT NULL,
    "expiresAt" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "FailureStreak" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "count" INTEGER NOT NULL,
    "expiresAt" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "App" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "secretHash" TEXT,
    "previousSecretHash" TEXT,
    "previousSecretUntil" BIGINT,
    "redirectUris" TEXT NOT NULL,
    "signOutUris" TEXT NOT NULL DEFAULT '',
    "backChannelUri" TEXT,
    "homeUrl" TEXT,
    "icon" TEXT,
    "pkce" TEXT NOT NULL DEFAULT 'or_nonce',
    "trusted" BOOLEAN NOT NULL DEFAULT false,
    "requirePasskey" BOOLEAN NOT NULL DEFAULT false,
    "groups" TEXT NOT NULL DEFAULT '',
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastRefusal" TEXT,
    "lastRefusedAt" BIGINT,
    "managed" BOOLEAN NOT NULL DEFAULT false,
    "machine" BOOLEAN NOT NULL DEFAULT false,
    "device" BOOLEAN NOT NULL DEFAULT false,
    "clientName" TEXT,
    "documentUntil" BIGINT
);

-- CreateTable
CREATE TABLE "AppIcon" (
    "appId" TEXT NOT NULL PRIMARY KEY,
    "digest" TEXT NOT NULL,
    "bytes" BLOB NOT NULL,
    CONSTRAINT "AppIcon_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Api" (
    "identifier" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "apps" TEXT,
    "groups" TEXT NOT NULL,
    "lifetime" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- CreateTable
CREATE TABLE "AppliedFile" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "revision" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" BIGINT NOT NULL,
    "lastUsedAt" BIGINT,
    CONSTRAINT "Grant_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Grant_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Code" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "grantId" TEXT NOT NULL,
    "rootId" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "challenge" TEXT,
    "nonce" TEXT,
    "scopes" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "authTime" BIGINT NOT NULL,
    "validUntil" BIGINT NOT NULL,
    "usedAt" BIGINT,
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "expiresAt" BIGINT NOT NULL,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "passkeyId" TEXT,
    "refreshHash" TEXT,
    "recentHashes" TEXT,
    "refreshedAt" BIGINT,
    "refreshUntil" BIGINT,
    CONSTRAINT "Code_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "DeviceRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "userCode" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "browser" TEXT,
    "createdAt" BIGINT NOT NULL,
    "pause" INTEGER NOT NULL,
    "polledAt" BIGINT,
    "denied" BOOLEAN NOT NULL DEFAULT false,
    "codeId" TEXT,
    "validUntil" BIGINT NOT NULL,
    "expiresAt" BIGINT NOT NULL,
    CONSTRAINT "DeviceRequest_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AppSession" (
    "rootId" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expiresAt" BIGINT NOT NULL,

    PRIMARY KEY ("rootId", "appId"),
    CONSTRAINT "AppSession_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AppSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "kid" TEXT NOT NULL PRIMARY KEY,
    "sequence" INTEGER NOT NULL,
    "publicKey" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "signsFrom" BIGINT NOT NULL,
    "expiresAt" BIGINT
);

-- CreateTable
CREATE TABLE "Delivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "type" TEXT NOT NULL,
    "receiver" TEXT NOT NULL,
    "account" TEXT,
    "payload" TEXT NOT NULL,
    "createdAt" BIGINT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" BIGINT,
    "error" TEXT,
    "gone" BOOLEAN NOT NULL DEFAULT false,
    "expiresAt" BIGINT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 1
);

-- CreateTable
CREATE TABLE "OperatorLog" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "at" BIGINT NOT NULL,
    "by" TEXT,
    "what" TEXT NOT NULL,
    "account" TEXT,
    "app" TEXT,
    "group" TEXT
);

-- CreateTable
CREATE TABLE "OperatorKey" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "digest" TEXT NOT NULL,
    "areas" TEXT NOT NULL,
    "readOnly" BOOLEAN NOT NULL,
    "createdAt" BIGINT NOT NULL,
    "expiresAt" BIGINT,
    "lastUsedAt" BIGINT,
    "madeBy" TEXT,
    CONSTRAINT "OperatorKey_madeBy_fkey" FOREIGN KEY ("madeBy") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Invitation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "note" TEXT,
    "groups" TEXT NOT NULL,
    "createdAt" BIGINT NOT NULL,
    "expiresAt" BIGINT NOT NULL,
    "by" TEXT,
    "madeBy" TEXT,
    CONSTRAINT "Invitation_madeBy_fkey" FOREIGN KEY ("madeBy") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "User_usernameKey_key" ON "User"("usernameKey");

-- CreateIndex
CREATE INDEX "User_displayNameKey_idx" ON "User"("displayNameKey");

-- CreateIndex
CREATE INDEX "User_createdAt_id_idx" ON "User"("createdAt", "id");

-- CreateIndex
CREATE INDEX "User_disabled_createdAt_id_idx" ON "User"("disabled", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Identifier_userId_idx" ON "Identifier"("userId");

-- CreateIndex
CREATE INDEX "EmailCode_expiresAt_idx" ON "EmailCode"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Recovery_stopDigest_key" ON "Recovery"("stopDigest");

-- CreateIndex
CREATE INDEX "Recovery_userId_idx" ON "Recovery"("userId");

-- CreateIndex
CREATE INDEX "Recovery_expiresAt_idx" ON "Recovery"("expiresAt");

-- CreateIndex
CREATE INDEX "RetiredUsername_expiresAt_idx" ON "RetiredUsername"("expiresAt");

-- CreateIndex
CREATE INDEX "Membership_groupName_idx" ON "Membership"("groupName");

-- CreateIndex
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");

-- CreateIndex
CREATE INDEX "RecoveryCode_userId_expiresAt_idx" ON "RecoveryCode"("userId", "expiresAt");

-- CreateIndex
CREATE INDEX "RecoveryCode_expiresAt_idx" ON "RecoveryCode"("expiresAt");

-- CreateIndex
CREATE INDEX "RecoveryCode_madeBy_idx" ON "RecoveryCode"("madeBy");

-- CreateIndex
CREATE INDEX "Event_userId_kind_at_idx" ON "Event"("userId", "kind", "at");

-- CreateIndex
CREATE INDEX "Event_at_idx" ON "Event"("at");

-- CreateIndex
CREATE INDEX "Session_userId_openedAt_idx" ON "Session"("userId", "openedAt");

-- CreateIndex
CREATE INDEX "Session_rootId_idx" ON "Session"("rootId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "ConsumedToken_expiresAt_idx" ON "ConsumedToken"("expiresAt");

-- CreateIndex
CREATE INDEX "RateLimit_expiresAt_idx" ON "RateLimit"("expiresAt");

-- CreateIndex
CREATE INDEX "FailureStreak_expiresAt_idx" ON "FailureStreak"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "App_name_key" ON "App"("name");

-- CreateIndex
CREATE INDEX "AppIcon_digest_idx" ON "AppIcon"("digest");

-- CreateIndex
CREATE INDEX "Grant_appId_idx" ON "Grant"("appId");

-- CreateIndex
CREATE UNIQUE INDEX "Grant_userId_appId_key" ON "Grant"("userId", "appId");

-- CreateIndex
CREATE UNIQUE INDEX "Code_hash_key" ON "Code"("hash");

-- CreateIndex
CREATE INDEX "Code_grantId_refreshUntil_validUntil_idx" ON "Code"("grantId", "refreshUntil", "validUntil");

-- CreateIndex
CREATE INDEX "Code_rootId_refreshUntil_validUntil_idx" ON "Code"("rootId", "refreshUntil", "validUntil");

-- CreateIndex
CREATE INDEX "Code_expiresAt_idx" ON "Code"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceRequest_userCode_key" ON "DeviceRequest"("userCode");

-- CreateIndex
CREATE INDEX "DeviceRequest_appId_idx" ON "DeviceRequest"("appId");

-- CreateIndex
CREATE INDEX "DeviceRequest_expiresAt_idx" ON "DeviceRequest"("expiresAt");

-- CreateIndex
CREATE INDEX "AppSession_appId_idx" ON "AppSession"("appId");

-- CreateIndex
CREATE INDEX "AppSession_userId_idx" ON "AppSession"("userId");

-- CreateIndex
CREATE INDEX "AppSession_expiresAt_idx" ON "AppSession"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "SigningKey_sequence_key" ON "SigningKey"("sequence");

-- CreateIndex
CREATE INDEX "SigningKey_expiresAt_idx" ON "SigningKey"("expiresAt");

-- CreateIndex
CREATE INDEX "Delivery_dueAt_idx" ON "Delivery"("dueAt");

-- CreateIndex
CREATE INDEX "Delivery_receiver_gone_idx" ON "Delivery"("receiver", "gone");

-- CreateIndex
CREATE INDEX "Delivery_expiresAt_idx" ON "Delivery"("expiresAt");

-- CreateIndex
CREATE INDEX "OperatorLog_at_id_idx" ON "OperatorLog"("at", "id");

-- CreateIndex
CREATE INDEX "OperatorLog_account_at_idx" ON "OperatorLog"("account", "at");

-- CreateIndex
CREATE UNIQUE INDEX "OperatorKey_digest_key" ON "OperatorKey"("digest");

-- CreateIndex
CREATE INDEX "OperatorKey_madeBy_idx" ON "OperatorKey"("madeBy");

-- CreateIndex
CREATE INDEX "Invitation_createdAt_id_idx" ON "Invitation"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Invitation_expiresAt_idx" ON "Invitation"("expiresAt");

-- CreateIndex
CREATE INDEX "Invitation_madeBy_idx" ON "Invitation"("madeBy");
