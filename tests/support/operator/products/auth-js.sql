-- The rows that @auth/core 0.41.3 hands to its adapter, in the tables of its Prisma schema; the password is the adopter's own (bcryptjs).
CREATE TABLE public."Authenticator" (
    "credentialID" text NOT NULL,
    "userId" text NOT NULL,
    "providerAccountId" text NOT NULL,
    "credentialPublicKey" text NOT NULL,
    counter integer NOT NULL,
    "credentialDeviceType" text NOT NULL,
    "credentialBackedUp" boolean NOT NULL,
    transports text
);
CREATE TABLE public."User" (
    id text NOT NULL,
    name text,
    email text NOT NULL,
    "emailVerified" timestamp(3) without time zone,
    image text,
    password text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
INSERT INTO public."Authenticator" VALUES ('eBE2a9KNQGeRkFTwcpTUFAu7DXXdyx12b482X51Ah2Y=', 'cm3x2v9k10000ab8j4h5d6e7f', 'eBE2a9KNQGeRkFTwcpTUFAu7DXXdyx12b482X51Ah2Y=', 'pQECAyYgASFYIAWblVCrkgY+2EYhwG2kU3cVW/bF/jSkUY215eOd1j/MIlggZCyGiuo984PRI/giCQi9Sf2eU4sKqaQdAWooIhrbM20=', 0, 'multiDevice', true, 'internal,hybrid');
INSERT INTO public."User" VALUES ('cm3x2v9k10000ab8j4h5d6e7f', NULL, 'ann@auth-js.example', NULL, NULL, '$2b$10$75aPCVxbNuCeC86iNEZKxeNoKsRYx33K5CUHmAcUBO7j1cjfxOg6W', '2026-11-22 00:50:30.194', '2026-11-22 00:50:30.194');
ALTER TABLE ONLY public."Authenticator"
    ADD CONSTRAINT "Authenticator_credentialID_key" UNIQUE ("credentialID");
ALTER TABLE ONLY public."Authenticator"
    ADD CONSTRAINT "Authenticator_pkey" PRIMARY KEY ("userId", "credentialID");
ALTER TABLE ONLY public."User"
    ADD CONSTRAINT "User_email_key" UNIQUE (email);
ALTER TABLE ONLY public."User"
    ADD CONSTRAINT "User_pkey" PRIMARY KEY (id);
ALTER TABLE ONLY public."Authenticator"
    ADD CONSTRAINT "Authenticator_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."User"(id);
