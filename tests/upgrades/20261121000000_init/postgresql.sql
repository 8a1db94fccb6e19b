SELECT pg_catalog.set_config('search_path', '', false);

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
    "lastUsedAt" timestamp(3) without time zone
);

CREATE TABLE public."RateLimit" (
    key text NOT NULL,
    "window" bigint NOT NULL,
    count integer NOT NULL,
    previous integer NOT NULL,
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

INSERT INTO public."Passkey" VALUES ('lutoD6GXaPM7Pbj5npCreHJppZ5mqzq0fVlrMPua6HQ', 'Jxc985MvTPZaWx0Y8AMWVg', 'Passkey', '\xa5010203262001215820e92d27e2a9329808c6c7812d511e9238f91a37842458c2726f556bf8c8a3a8ee225820634955b6640814691ca9fb2d02a70f167742bab3fcadc71b4d2059f7fb6ff503', 0, 'internal,hybrid', 'multiDevice', true, '00000000-0000-0000-0000-000000000000', true, '2026-11-23 01:56:40.106', '2026-11-23 01:56:40.131');

INSERT INTO public."RateLimit" VALUES ('login:_e5DDUC9V97qwYbNl5ADPQ', 1994887, 1, 0, 1795400100000);
INSERT INTO public."RateLimit" VALUES ('address:EsoXtJryKJQ28wPgFmAwoh', 1994887, 2, 0, 1795400100000);

INSERT INTO public."SpentToken" VALUES ('Qg-_U3V5ruLzOca80vlG4g', 1796003860000);
INSERT INTO public."SpentToken" VALUES ('LMjo7PiG88zfcv9ANAeubA', 1795399660000);
INSERT INTO public."SpentToken" VALUES ('_APhHJerKS0UkFGNQIMJzA', 1795399660000);

INSERT INTO public."User" VALUES ('Jxc985MvTPZaWx0Y8AMWVg', 'ada', 'ada', '$2b$10$DrwNvsyL02aSl4ysv1oOtuwvkshseNKRvaV5kcadpysF81G9Bc9gC', 0, '2026-11-23 01:56:39.907');

INSERT INTO public._prisma_migrations VALUES ('91fd4bc9-1b05-4fe2-9c20-b217c1c5b1e3', 'f165bb2c94ae72adbb62d9c7abd3beb329368e567eaab6434242c334caabfe0b', '2026-11-23 01:56:38.130391+00', '20261121000000_init', NULL, NULL, '2026-11-23 01:56:38.130391+00', 1);

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."RateLimit"
    ADD CONSTRAINT "RateLimit_pkey" PRIMARY KEY (key);

ALTER TABLE ONLY public."SpentToken"
    ADD CONSTRAINT "SpentToken_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public."User"
    ADD CONSTRAINT "User_pkey" PRIMARY KEY (id);

ALTER TABLE ONLY public._prisma_migrations
    ADD CONSTRAINT _prisma_migrations_pkey PRIMARY KEY (id);

CREATE INDEX "Passkey_userId_idx" ON public."Passkey" USING btree ("userId");

CREATE INDEX "RateLimit_expiresAt_idx" ON public."RateLimit" USING btree ("expiresAt");

CREATE INDEX "SpentToken_expiresAt_idx" ON public."SpentToken" USING btree ("expiresAt");

CREATE UNIQUE INDEX "User_usernameKey_key" ON public."User" USING btree ("usernameKey");

ALTER TABLE ONLY public."Passkey"
    ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

