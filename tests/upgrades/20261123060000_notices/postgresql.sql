SELECT pg_catalog.set_config('search_path', '', false);

CREATE TABLE public."App" (
    id text NOT NULL,
    name text NOT NULL,
    "secretHash" text,
    "previousSecretHash" text,
    "previousSecretUntil" bigint,
    "redirectUris" text NOT NULL,
    "signOutUris" text DEFAULT ''::text NOT NULL,
    "backChannelUri" text,
    "homeUrl" text,
    pkce boolean DEFAULT true NOT NULL,
    trusted boolean DEFAULT false NOT NULL,
    "requirePasskey" boolean DEFAULT false NOT NULL,
    groups text DEFAULT ''::text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE public."AppSession" (
    "rootId" text NOT NULL,
    "appId" text NOT NULL,
    "userId" text NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."Code" (
    id text NOT NULL,
    hash text NOT NULL,
    "grantId" text NOT NULL,
    "rootId" text NOT NULL,
    "redirectUri" text NOT NULL,
    challenge text,
    nonce text,
    scopes text NOT NULL,
    amr text NOT NULL,
    "authTime" bigint NOT NULL,
    "validUntil" bigint NOT NULL,
    "usedAt" bigint,
    ended boolean DEFAULT false NOT NULL,
    "expiresAt" bigint NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    "passkeyId" text,
    "refreshHash" text,
    "previousHash" text,
    "refreshedAt" bigint,
    "refreshUntil" bigint
);

CREATE TABLE public."Delivery" (
    id text NOT NULL,
    type text NOT NULL,
    receiver text NOT NULL,
    account text,
    payload text NOT NULL,
    "createdAt" bigint NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    "dueAt" bigint,
    error text,
    gone boolean DEFAULT false NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."Event" (
    id text NOT NULL,
    "userId" text NOT NULL,
    type text NOT NULL,
    method text,
    browser text,
    count integer DEFAULT 1 NOT NULL,
    at bigint NOT NULL,
    kind text DEFAULT 'changes'::text NOT NULL,
    "newBrowser" boolean DEFAULT false NOT NULL,
    app text,
    "byPasskey" boolean DEFAULT false NOT NULL,
    answered boolean DEFAULT false NOT NULL
);

CREATE TABLE public."FailureStreak" (
    key text NOT NULL,
    count integer NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."Grant" (
    id text NOT NULL,
    "userId" text NOT NULL,
    "appId" text NOT NULL,
    scopes text NOT NULL,
    "createdAt" bigint NOT NULL,
    "lastUsedAt" bigint
);

CREATE TABLE public."Group" (
    name text NOT NULL
);

CREATE TABLE public."Identifier" (
    key text NOT NULL,
    "userId" text NOT NULL,
    username boolean DEFAULT false NOT NULL,
    email boolean DEFAULT false NOT NULL,
    former boolean DEFAULT false NOT NULL
);

CREATE TABLE public."Membership" (
    "userId" text NOT NULL,
    "groupName" text NOT NULL
);

CREATE TABLE public."Passkey" (
    id text NOT NULL,
    "userId" text NOT NULL,
    name text NOT NULL,
    "publicKey" bytea NOT NULL,
    counter bigint NOT NULL,
    transports text NOT NULL,
    "deviceType" text NOT NULL,
    "backedUp" boolean NOT NULL,
    aaguid text NOT NULL,
    "userVerified" boolean NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "lastUsedAt" timestamp(3) without time zone,
    type text DEFAULT 'public-key'::text NOT NULL,
    "createdConditionally" boolean DEFAULT false NOT NULL,
    "userHandle" text
);

CREATE TABLE public."RateLimit" (
    key text NOT NULL,
    "window" bigint NOT NULL,
    count integer NOT NULL,
    previous integer NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."RecoveryCode" (
    hash text NOT NULL,
    "userId" text NOT NULL
);

CREATE TABLE public."RetiredUsername" (
    digest text NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."Session" (
    id text NOT NULL,
    "userId" text NOT NULL,
    epoch integer NOT NULL,
    method text NOT NULL,
    "passkeyId" text,
    browser text,
    "openedAt" bigint NOT NULL,
    "expiresAt" bigint NOT NULL,
    "rootId" text,
    "lastActiveAt" bigint
);

CREATE TABLE public."SigningKey" (
    kid text NOT NULL,
    sequence integer NOT NULL,
    "publicKey" text NOT NULL,
    sealed text NOT NULL,
    "signsFrom" bigint NOT NULL,
    "expiresAt" bigint
);

CREATE TABLE public."SpentToken" (
    id text NOT NULL,
    "expiresAt" bigint NOT NULL
);

CREATE TABLE public."User" (
    id text NOT NULL,
    username text NOT NULL,
    "usernameKey" text NOT NULL,
    "passwordHash" text,
    "sessionEpoch" integer DEFAULT 0 NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "userHandle" text,
    disabled boolean DEFAULT false NOT NULL,
    "passwordSetAt" timestamp(3) without time zone,
    "recoveryCodesMadeAt" timestamp(3) without time zone,
    email text,
    "renamedAt" bigint
);

CREATE TABLE public._prisma_migrations (
    id character varying(36) NOT NULL,
    checksum character varying(64) NOT NULL,
    finished_at timestamp with time zone,
    migration_name character varying(255) NOT NULL,
    logs text,
    rolled_back_at timestamp with time zone,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    applied_steps_count integer DEFAULT 0 NOT NULL
);

INSERT INTO public."Event" VALUES ('VbFwKfM2aCWaw3n7IhCblQ', '09_4ZHW8TIOhGCpCP177gw', 'account_created', 'pwd', 'Chrome on Windows', 1, 1795911488808, 'sign_ins', false, NULL, false, false);
INSERT INTO public."Event" VALUES ('QBkxdHbJPUVQ7HR4OMoDwu-iEjEd3o-JWfEa-4pWduo', '09_4ZHW8TIOhGCpCP177gw', 'signed_in', 'pwd', 'Chrome on Windows', 1, 1795911489039, 'sign_ins', true, NULL, false, false);
INSERT INTO public."Event" VALUES ('86fQWlI776Fd01FMxAVZkQ', '09_4ZHW8TIOhGCpCP177gw', 'passkey_added', NULL, 'Chrome on Windows', 1, 1795911489137, 'changes', false, NULL, false, true);
INSERT INTO public."Event" VALUES ('eLqBUrcVzjXD6jogTD2Vcg', '09_4ZHW8TIOhGCpCP177gw', 'recovery_codes_made', NULL, 'Chrome on Windows', 1, 1795911489171, 'changes', false, NULL, false, true);
INSERT INTO public."Event" VALUES ('aZvLhlG7deiay2v36iiXfdZw8boSOyUq7LDAbB06GbU', '09_4ZHW8TIOhGCpCP177gw', 'signed_in', 'passkey', 'Chrome on Windows', 1, 1795911489209, 'sign_ins', true, NULL, false, false);
INSERT INTO public."Event" VALUES ('qIazC1bhiyUGe1tT08vlQELUsYvbsamcRTUd4J8afAQ', '09_4ZHW8TIOhGCpCP177gw', 'signed_in', 'recovery', 'Chrome on Windows', 1, 1795911489233, 'sign_ins', true, NULL, false, false);
INSERT INTO public."Event" VALUES ('Xme4hi7h5wQZdSsoJdcM-hhyeAL2FHIPzlzhGk4a2Go', '09_4ZHW8TIOhGCpCP177gw', 'signin_failed', 'pwd', 'Chrome on Windows', 1, 1795911489362, 'sign_ins', false, NULL, false, false);

INSERT INTO public."FailureStreak" VALUES ('4YQWi4qZG-IK4eP6sOj5aQ', 1, 1803687489362);

INSERT INTO public."Identifier" VALUES ('ada', '09_4ZHW8TIOhGCpCP177gw', true, false, false);

INSERT INTO public."Passkey" VALUES ('AONojcxxyFBCY7uXMHOLU20YEIhRVGxX5rcmAuijsKU', '09_4ZHW8TIOhGCpCP177gw', 'Chrome · Windows', '\xa501020326200121582089f26fd98c074bf0150120a74b4dfb07c903f72b883225ce14b92ba77c5506ba225820d2baed368f32aa62d366ac8cb2a28c876f29ce8de76213587b7fb0ee8e90b171', 0, 'internal,hybrid', 'multiDevice', true, '00000000-0000-0000-0000-000000000000', true, '2026-11-29 00:18:09.113', '2026-11-29 00:18:09.202', 'public-key', false, '09_4ZHW8TIOhGCpCP177gw');

INSERT INTO public."RateLimit" VALUES ('account-writes:eNY9EH98GvPHWqOxvzBvRl', 1995457, 2, 0, 1795913100000);
INSERT INTO public."RateLimit" VALUES ('address:Ysa0I3NQcTYdtqtThCBxOp', 1995457, 2, 0, 1795913100000);
INSERT INTO public."RateLimit" VALUES ('password:Q3tuXLmQmdVk1N-HDApt7I', 1995457, 1, 0, 1795913100000);
INSERT INTO public."RateLimit" VALUES ('sign-ins:eNY9EH98GvPHWqOxvzBvRl', 1995457, 3, 0, 1795913100000);

INSERT INTO public."RecoveryCode" VALUES ('HTJm-xEarQnWLMftvFW6wHRc61ADnVESR_2rC8XOihI', '09_4ZHW8TIOhGCpCP177gw');
INSERT INTO public."RecoveryCode" VALUES ('GMmOzgx_QiTcMXmZ6yI3MVdKtbK-uK4S3xyBDThmo5s', '09_4ZHW8TIOhGCpCP177gw');
INSERT INTO public."RecoveryCode" VALUES ('WTNDM8R3bSTYpNSTilC9xHQxIrLMg-jO7OqBy9kCqfM', '09_4ZHW8TIOhGCpCP177gw');
INSERT INTO public."RecoveryCode" VALUES ('rgmKCWA1b4pHQTCqrYCcoEWGwB0Bog7KuWwwqDYF1xo', '09_4ZHW8TIOhGCpCP177gw');
INSERT INTO public."RecoveryCode" VALUES ('LKWy7bl6DEtLuQefEXS4bvkrfyCXAySEI8wnW5t0izM', '09_4ZHW8TIOhGCpCP177gw');
INSERT INTO public."RecoveryCode" VALUES ('a0KD3R1Cb7xvC8uP7L9jU6bwt01sPgcZyx0Y8XSP0pc', '09_4ZHW8TIOhGCpCP177gw');
INSERT INTO public."RecoveryCode" VALUES ('XpiT7s25dJ9tzRZHn0gZM2h7otAtLf9E_fOK12Rlwt0', '09_4ZHW8TIOhGCpCP177gw');
INSERT INTO public."RecoveryCode" VALUES ('GAf43eFqkvSwgYWEyPBHiTRDYIr9sR8m-cFLp_xv4H4', '09_4ZHW8TIOhGCpCP177gw');
INSERT INTO public."RecoveryCode" VALUES ('_kZWLJDCURuaH8G4jhytt-irrGvTPcOgahEKX3wQ_PE', '09_4ZHW8TIOhGCpCP177gw');

INSERT INTO public."Session" VALUES ('c2acR28JL5Hd3zAVhU0NWg', '09_4ZHW8TIOhGCpCP177gw', 0, 'pwd', NULL, 'Chrome on Windows', 1795911488000, 1796516288000, NULL, 1795910400000);
INSERT INTO public."Session" VALUES ('k1DQ7FVxNOUHRd7V2zranw', '09_4ZHW8TIOhGCpCP177gw', 0, 'pwd', NULL, 'Chrome on Windows', 1795911489000, 1796516289000, NULL, 1795910400000);
INSERT INTO public."Session" VALUES ('qI_YjJYJx-m_WFYyzbyehQ', '09_4ZHW8TIOhGCpCP177gw', 0, 'passkey', 'AONojcxxyFBCY7uXMHOLU20YEIhRVGxX5rcmAuijsKU', 'Chrome on Windows', 1795911489000, 1796516289000, NULL, 1795910400000);
INSERT INTO public."Session" VALUES ('ANUeH5szovrOwAnXjfpzZA', '09_4ZHW8TIOhGCpCP177gw', 0, 'recovery', NULL, 'Chrome on Windows', 1795911489000, 1796516289000, NULL, 1795910400000);

INSERT INTO public."SpentToken" VALUES ('k1DQ7FVxNOUHRd7V2zranw', 1796516349000);
INSERT INTO public."SpentToken" VALUES ('idRWDyOLPG7ejSl4mIZjJA', 1795912149000);
INSERT INTO public."SpentToken" VALUES ('ywj_VG3uJYd2s8qr8dPNCQ', 1795912149000);

INSERT INTO public."User" VALUES ('09_4ZHW8TIOhGCpCP177gw', 'ada', 'ada', '$2b$10$kcbzXPensglMlXQtC6/Poen5OAgVTWVp4KI5oWmvHczGb6zzBaBb6', 0, '2026-11-29 00:18:08.717', NULL, false, '2026-11-29 00:18:08.233', '2026-11-29 00:18:09.153', NULL, NULL);

INSERT INTO public._prisma_migrations VALUES ('471d7309-3f15-4c14-8ecf-6623b603a4bd', 'f165bb2c94ae72adbb62d9c7abd3beb329368e567eaab6434242c334caabfe0b', '2026-11-29 00:18:07.713976+00', '20261121000000_init', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('5cc32712-9633-4ce1-95a6-9dbc074b12ac', '17b5e959738e69e73035b79889254f3bcfd6a06f15f12b55ecc33bee5c4a06bd', '2026-11-29 00:18:07.713976+00', '20261121040000_account', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('171306ba-9302-4696-96e6-3c7399d4ae78', 'b26282d835a37197dabd71c6dabb01dd903618e2dd8da5a2cbbc3b69f69cdc97', '2026-11-29 00:18:07.713976+00', '20261121120000_hardening', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('e2b1b6d4-a6f2-48d8-8315-974ce21315fd', 'a701da47137cc21ec1a336ec44b97f925a6a3aa339428b2a96fdc96ff5cf4e11', '2026-11-29 00:18:07.713976+00', '20261121230000_operators', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('be1a81a1-7c06-40c6-bafb-0fd47b700970', '1de66fce21a89c5b98fc29e1e777ec419b95f1dc8e3a11e1b756597330602fff', '2026-11-29 00:18:07.713976+00', '20261123000000_factors', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('74624978-4ce8-476c-8907-df41c675f978', '73f368e9153c5f857be2c0f72ea9e6a46f87002fc8cda3d247cb6cccb522bd24', '2026-11-29 00:18:07.713976+00', '20261123010000_groups', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('26520ae2-76a0-45e8-b2e6-4dcfc73bd8c3', 'f9111ce170e37c3881b1e43fe9d8f26d5acad0ebc6eddcf5ad81d3bae6b4c137', '2026-11-29 00:18:07.713976+00', '20261123011000_addresses', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('933c6b89-0cee-4885-88bc-e58408db31e1', '0aa248176fc96fb52df8ec466e698d47dc5a51dae720f89c94cea2a60bb30c8f', '2026-11-29 00:18:07.713976+00', '20261123012000_usernames', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('340b1d73-5a4f-484a-9cec-d546912d9e15', '51e6df9492aa8fda57b1593c0a3c78696a3fa587f7d88d587aba3ea4d3c1f994', '2026-11-29 00:18:07.713976+00', '20261123030000_apps', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('1095ac8d-c05c-42a1-80e5-4fe257b1fc13', '9ffbea7c280a604e754267180e79cad520bc01884c7cadf549892f1c41c060cc', '2026-11-29 00:18:07.713976+00', '20261123040000_outbox', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('6635a7a6-dd1e-49e4-b44b-eb0a71b22aa2', 'c3220188fa3f354f201948575cdf23c135059c64f336031ab282daa8d3ad76c6', '2026-11-29 00:18:07.713976+00', '20261123050000_refresh', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('d45d92a8-60f8-4c59-a939-3332107ad75e', '1577c473372be2143489986080128c75c12414c06c154567e00b95181e522e78', '2026-11-29 00:18:07.713976+00', '20261123060000_activity', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);
INSERT INTO public._prisma_migrations VALUES ('b43daaf8-2c5f-47c2-99a0-acf25b8bb142', '0658f4b0be937836c51064ad604d083a99113f2830a345fc57ebebf19286deb4', '2026-11-29 00:18:07.713976+00', '20261123060000_notices', NULL, NULL, '2026-11-29 00:18:07.713976+00', 1);

ALTER TABLE ONLY public."AppSession"
    ADD CONSTRAINT "AppSession_pkey" PRIMARY KEY ("rootId", "appId");

ALTER TABLE ONLY public."App"
    ADD CONSTRAINT "App_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."Code"
    ADD CONSTRAINT "Code_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."Delivery"
    ADD CONSTRAINT "Delivery_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."Event"
    ADD CONSTRAINT "Event_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."FailureStreak"
    ADD CONSTRAINT "FailureStreak_pkey" PRIMARY KEY (key);

ALTER TABLE ONLY public."Grant"
    ADD CONSTRAINT "Grant_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."Group"
    ADD CONSTRAINT "Group_pkey" PRIMARY KEY (name);

ALTER TABLE ONLY public."Identifier"
    ADD CONSTRAINT "Identifier_pkey" PRIMARY KEY (key);

ALTER TABLE ONLY public."Membership"
    ADD CONSTRAINT "Membership_pkey" PRIMARY KEY ("userId", "groupName");

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."RateLimit"
    ADD CONSTRAINT "RateLimit_pkey" PRIMARY KEY (key);

ALTER TABLE ONLY public."RecoveryCode"
    ADD CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY (hash);

ALTER TABLE ONLY public."RetiredUsername"
    ADD CONSTRAINT "RetiredUsername_pkey" PRIMARY KEY (digest);

ALTER TABLE ONLY public."Session"
    ADD CONSTRAINT "Session_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."SigningKey"
    ADD CONSTRAINT "SigningKey_pkey" PRIMARY KEY (kid);

ALTER TABLE ONLY public."SpentToken"
    ADD CONSTRAINT "SpentToken_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."User"
    ADD CONSTRAINT "User_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public._prisma_migrations
    ADD CONSTRAINT _prisma_migrations_pkey PRIMARY KEY (id);

CREATE INDEX "AppSession_appId_idx" ON public."AppSession" USING btree ("appId");

CREATE INDEX "AppSession_expiresAt_idx" ON public."AppSession" USING btree ("expiresAt");

CREATE INDEX "AppSession_userId_idx" ON public."AppSession" USING btree ("userId");

CREATE UNIQUE INDEX "App_name_key" ON public."App" USING btree (name);

CREATE INDEX "Code_expiresAt_idx" ON public."Code" USING btree ("expiresAt");

CREATE INDEX "Code_grantId_idx" ON public."Code" USING btree ("grantId");

CREATE UNIQUE INDEX "Code_hash_key" ON public."Code" USING btree (hash);

CREATE INDEX "Code_rootId_idx" ON public."Code" USING btree ("rootId");

CREATE INDEX "Delivery_dueAt_idx" ON public."Delivery" USING btree ("dueAt");

CREATE INDEX "Delivery_expiresAt_idx" ON public."Delivery" USING btree ("expiresAt");

CREATE INDEX "Delivery_receiver_gone_idx" ON public."Delivery" USING btree (receiver, gone);

CREATE INDEX "Event_at_idx" ON public."Event" USING btree (at);

CREATE INDEX "Event_userId_kind_at_idx" ON public."Event" USING btree ("userId", kind, at);

CREATE INDEX "FailureStreak_expiresAt_idx" ON public."FailureStreak" USING btree ("expiresAt");

CREATE INDEX "Grant_appId_idx" ON public."Grant" USING btree ("appId");

CREATE UNIQUE INDEX "Grant_userId_appId_key" ON public."Grant" USING btree ("userId", "appId");

CREATE INDEX "Identifier_userId_idx" ON public."Identifier" USING btree ("userId");

CREATE INDEX "Membership_groupName_idx" ON public."Membership" USING btree ("groupName");

CREATE INDEX "Passkey_userId_idx" ON public."Passkey" USING btree ("userId");

CREATE INDEX "RateLimit_expiresAt_idx" ON public."RateLimit" USING btree ("expiresAt");

CREATE INDEX "RecoveryCode_userId_idx" ON public."RecoveryCode" USING btree ("userId");

CREATE INDEX "RetiredUsername_expiresAt_idx" ON public."RetiredUsername" USING btree ("expiresAt");

CREATE INDEX "Session_expiresAt_idx" ON public."Session" USING btree ("expiresAt");

CREATE INDEX "Session_userId_idx" ON public."Session" USING btree ("userId");

CREATE INDEX "SigningKey_expiresAt_idx" ON public."SigningKey" USING btree ("expiresAt");

CREATE UNIQUE INDEX "SigningKey_sequence_key" ON public."SigningKey" USING btree (sequence);

CREATE INDEX "SpentToken_expiresAt_idx" ON public."SpentToken" USING btree ("expiresAt");

CREATE UNIQUE INDEX "User_usernameKey_key" ON public."User" USING btree ("usernameKey");

ALTER TABLE ONLY public."AppSession"
    ADD CONSTRAINT "AppSession_appId_fkey" FOREIGN KEY ("appId") REFERENCES public."App"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."AppSession"
    ADD CONSTRAINT "AppSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Code"
    ADD CONSTRAINT "Code_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES public."Grant"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Event"
    ADD CONSTRAINT "Event_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Grant"
    ADD CONSTRAINT "Grant_appId_fkey" FOREIGN KEY ("appId") REFERENCES public."App"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Grant"
    ADD CONSTRAINT "Grant_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Identifier"
    ADD CONSTRAINT "Identifier_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Membership"
    ADD CONSTRAINT "Membership_groupName_fkey" FOREIGN KEY ("groupName") REFERENCES public."Group"(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Membership"
    ADD CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."RecoveryCode"
    ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Session"
    ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

