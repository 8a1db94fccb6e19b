SELECT pg_catalog.set_config('search_path', '', false);

CREATE TABLE public."Event" (
    id text NOT NULL,
    "userId" text NOT NULL,
    type text NOT NULL,
    method text,
    browser text,
    count integer DEFAULT 1 NOT NULL,
    at bigint NOT NULL,
    kind text DEFAULT 'changes'::text NOT NULL,
    "newBrowser" boolean DEFAULT false NOT NULL
);

CREATE TABLE public."FailureStreak" (
    key text NOT NULL,
    count integer NOT NULL,
    "expiresAt" bigint NOT NULL
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
    "createdConditionally" boolean DEFAULT false NOT NULL
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

CREATE TABLE public."Session" (
    id text NOT NULL,
    "userId" text NOT NULL,
    epoch integer NOT NULL,
    method text NOT NULL,
    "passkeyId" text,
    browser text,
    "openedAt" bigint NOT NULL,
    "expiresAt" bigint NOT NULL
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
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
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

INSERT INTO public."Event" VALUES ('91KwU_rQDixoClnKE_CJEw', 'xxjv2FQjFliXcE8wRR4VKQ', 'account_created', 'pwd', 'Chrome on Windows', 1, 1795399016236, 'sign_ins', false);
INSERT INTO public."Event" VALUES ('G6XVw37dDeCI_Cdyj8TvLC-bCp9CrlKTdo_TdWbkwa4', 'xxjv2FQjFliXcE8wRR4VKQ', 'signed_in', 'pwd', 'Chrome on Windows', 1, 1795399016497, 'sign_ins', true);
INSERT INTO public."Event" VALUES ('-1gqBU3qvPBQNty-9sQwGg', 'xxjv2FQjFliXcE8wRR4VKQ', 'passkey_added', NULL, 'Chrome on Windows', 1, 1795399016607, 'changes', false);
INSERT INTO public."Event" VALUES ('c0I17krXsd9WPAqqL3E0Zg', 'xxjv2FQjFliXcE8wRR4VKQ', 'recovery_codes_made', NULL, 'Chrome on Windows', 1, 1795399016642, 'changes', false);
INSERT INTO public."Event" VALUES ('eg0U2bDynVs4Ra1rRY165gNH_o3JcHX8BE9NeqEGcFM', 'xxjv2FQjFliXcE8wRR4VKQ', 'signed_in', 'passkey', 'Chrome on Windows', 1, 1795399016689, 'sign_ins', true);
INSERT INTO public."Event" VALUES ('S8NsZpuxLqnym7FhiHfij7ixeCOmg59-QKFZN6M0UV0', 'xxjv2FQjFliXcE8wRR4VKQ', 'signed_in', 'recovery', 'Chrome on Windows', 1, 1795399016822, 'sign_ins', true);
INSERT INTO public."Event" VALUES ('Gz9N41jr7b5Gw7KqfWSUBZz-Kkg1MKfXM60BP-fPOgc', 'xxjv2FQjFliXcE8wRR4VKQ', 'signin_failed', 'pwd', 'Chrome on Windows', 1, 1795399017054, 'sign_ins', false);

INSERT INTO public."FailureStreak" VALUES ('Dt0MX8GOuDO1AS7UgL2o24', 1, 1803175017054);

INSERT INTO public."Passkey" VALUES ('_Fne7OEjj2s_2XadnaZNjTJr2qQtBgkJK23zX2400o0', 'xxjv2FQjFliXcE8wRR4VKQ', 'Passkey', '\xa5010203262001215820d8948d3a57dcda43842b16cbbc0c3c47b4d3f1a5866c75c76e2249725d01178c225820fff3d25e553d17748715000ca5aea08bf991aac9c99b73043e1e8a266054572d', 0, 'internal,hybrid', 'multiDevice', true, '00000000-0000-0000-0000-000000000000', true, '2026-11-23 01:56:56.596', '2026-11-23 01:56:56.681', 'public-key', false);

INSERT INTO public."RateLimit" VALUES ('account-writes:CEuAalgujAY_xDDUilZW9Z', 1994887, 2, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('passkey:ugGN1KJXEbLZgaxql7gR4-', 1994887, 0, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('recovery:ugGN1KJXEbLZgaxql7gR4-', 1994887, 0, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('address:ugGN1KJXEbLZgaxql7gR4-', 1994887, 2, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('password:7Ww7wSYjaeb8JLPEZZwrpt', 1994887, 1, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('sign-ins:CEuAalgujAY_xDDUilZW9Z', 1994887, 3, 0, 1795400100000);

INSERT INTO public."RecoveryCode" VALUES ('_ui1TscIrikbBe4v_conJrvetmgrpn9h17cmIpM2xSw', 'xxjv2FQjFliXcE8wRR4VKQ');
INSERT INTO public."RecoveryCode" VALUES ('d2ZQ-TI-sf3yMLI_6UYger3bbf3V86xUMHW5nJ_QQlk', 'xxjv2FQjFliXcE8wRR4VKQ');
INSERT INTO public."RecoveryCode" VALUES ('xXmWAlJoa3dpiNqXJioj_rCTH9JIHIJtS5PqH-AX8C8', 'xxjv2FQjFliXcE8wRR4VKQ');
INSERT INTO public."RecoveryCode" VALUES ('Hfz2TybDKVF6JtlS0ECA_gN8UjjVknVeVYJcH9DNMpY', 'xxjv2FQjFliXcE8wRR4VKQ');
INSERT INTO public."RecoveryCode" VALUES ('L-NhDaafMkkhJ18C5xDlQMt2yg2sIjIiCuElX5JmBYA', 'xxjv2FQjFliXcE8wRR4VKQ');
INSERT INTO public."RecoveryCode" VALUES ('JsOFr0zXZI7zYkT5RM0WAazNWeBPY33TEV-XdWSyTb0', 'xxjv2FQjFliXcE8wRR4VKQ');
INSERT INTO public."RecoveryCode" VALUES ('-29yiQck6OlUxe8OUTAugnP8fj9N8seEUydlMmH4EpY', 'xxjv2FQjFliXcE8wRR4VKQ');
INSERT INTO public."RecoveryCode" VALUES ('2I4xD8xO1PwcT2TML08uddeKJGAWCUxV9Ees2XL82KI', 'xxjv2FQjFliXcE8wRR4VKQ');
INSERT INTO public."RecoveryCode" VALUES ('88wSdQaeTwdayIHkZTmLASIVH5s4l9N1EIiJjUXgK_Q', 'xxjv2FQjFliXcE8wRR4VKQ');

INSERT INTO public."Session" VALUES ('pSb06nMxwHYPJZQlp4moRA', 'xxjv2FQjFliXcE8wRR4VKQ', 0, 'pwd', NULL, 'Chrome on Windows', 1795399016000, 1796003816000);
INSERT INTO public."Session" VALUES ('800bGA-EDEWZ9E8uc2vKdw', 'xxjv2FQjFliXcE8wRR4VKQ', 0, 'pwd', NULL, 'Chrome on Windows', 1795399016000, 1796003816000);
INSERT INTO public."Session" VALUES ('RKcaXi0MpyDBkKIscuOltg', 'xxjv2FQjFliXcE8wRR4VKQ', 0, 'passkey', '_Fne7OEjj2s_2XadnaZNjTJr2qQtBgkJK23zX2400o0', 'Chrome on Windows', 1795399016000, 1796003816000);
INSERT INTO public."Session" VALUES ('Utxm8n7eFa88mzC-B9E-GA', 'xxjv2FQjFliXcE8wRR4VKQ', 0, 'recovery', NULL, 'Chrome on Windows', 1795399016000, 1796003816000);

INSERT INTO public."SpentToken" VALUES ('800bGA-EDEWZ9E8uc2vKdw', 1796003876000);
INSERT INTO public."SpentToken" VALUES ('q2SzWh31qfNVub8SU5Bbaw', 1795399676000);
INSERT INTO public."SpentToken" VALUES ('2Xm1F-OhnFATXwElYKE2jA', 1795399676000);

INSERT INTO public."User" VALUES ('xxjv2FQjFliXcE8wRR4VKQ', 'ada', 'ada', '$2b$10$BvuFp0W1UohVp78IDsoate1WNpr3JBQ5sfWGoe5EhIVSzrgKT5Esm', 0, '2026-11-23 01:56:56.204');

INSERT INTO public._prisma_migrations VALUES ('8e733aa3-f579-4632-aa45-7519d0f16429', 'f165bb2c94ae72adbb62d9c7abd3beb329368e567eaab6434242c334caabfe0b', '2026-11-23 01:56:55.600185+00', '20261121000000_init', NULL, NULL, '2026-11-23 01:56:55.600185+00', 1);
INSERT INTO public._prisma_migrations VALUES ('1acb754a-629b-4f5c-8c59-781cb8cfc67c', '17b5e959738e69e73035b79889254f3bcfd6a06f15f12b55ecc33bee5c4a06bd', '2026-11-23 01:56:55.600185+00', '20261121040000_account', NULL, NULL, '2026-11-23 01:56:55.600185+00', 1);
INSERT INTO public._prisma_migrations VALUES ('6a4851d7-a45f-4320-9f5d-b8a737a8c975', 'b26282d835a37197dabd71c6dabb01dd903618e2dd8da5a2cbbc3b69f69cdc97', '2026-11-23 01:56:55.600185+00', '20261121120000_hardening', NULL, NULL, '2026-11-23 01:56:55.600185+00', 1);

ALTER TABLE ONLY public."Event"
    ADD CONSTRAINT "Event_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."FailureStreak"
    ADD CONSTRAINT "FailureStreak_pkey" PRIMARY KEY (key);

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."RateLimit"
    ADD CONSTRAINT "RateLimit_pkey" PRIMARY KEY (key);

ALTER TABLE ONLY public."RecoveryCode"
    ADD CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY (hash);

ALTER TABLE ONLY public."Session"
    ADD CONSTRAINT "Session_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."SpentToken"
    ADD CONSTRAINT "SpentToken_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."User"
    ADD CONSTRAINT "User_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public._prisma_migrations
    ADD CONSTRAINT _prisma_migrations_pkey PRIMARY KEY (id);

CREATE INDEX "Event_at_idx" ON public."Event" USING btree (at);

CREATE INDEX "Event_userId_kind_at_idx" ON public."Event" USING btree ("userId", kind, at);

CREATE INDEX "FailureStreak_expiresAt_idx" ON public."FailureStreak" USING btree ("expiresAt");

CREATE INDEX "Passkey_userId_idx" ON public."Passkey" USING btree ("userId");

CREATE INDEX "RateLimit_expiresAt_idx" ON public."RateLimit" USING btree ("expiresAt");

CREATE INDEX "RecoveryCode_userId_idx" ON public."RecoveryCode" USING btree ("userId");

CREATE INDEX "Session_expiresAt_idx" ON public."Session" USING btree ("expiresAt");

CREATE INDEX "Session_userId_idx" ON public."Session" USING btree ("userId");

CREATE INDEX "SpentToken_expiresAt_idx" ON public."SpentToken" USING btree ("expiresAt");

CREATE UNIQUE INDEX "User_usernameKey_key" ON public."User" USING btree ("usernameKey");

ALTER TABLE ONLY public."Event"
    ADD CONSTRAINT "Event_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."RecoveryCode"
    ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public."Session"
    ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

