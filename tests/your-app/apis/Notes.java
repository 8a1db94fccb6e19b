package notes;

import static org.springframework.security.config.Customizer.withDefaults;

import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Notes {
  public static void main(String[] args) {
    SpringApplication.run(Notes.class, args);
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http
        .authorizeHttpRequests(x -> x.requestMatchers("/notes").hasAuthority("SCOPE_notes.read").anyRequest().denyAll())
        .oauth2ResourceServer(x -> x.jwt(withDefaults()))
        .csrf(x -> x.disable())
        .build();
  }

  @Bean
  JwtDecoder decoder(@Value("${latchkey.issuer}") String issuer, @Value("${api.url}") String identifier) {
    // The type of an access token is checked below (RFC 9068); here it would have to be JWT.
    var decoder = NimbusJwtDecoder.withIssuerLocation(issuer).validateType(false).build();
    decoder.setJwtValidator(
        JwtValidators.createAtJwtValidator()
            .issuer(issuer)
            .audience(identifier)
            // Of any app that may have tokens for this API: Latchkey decides which.
            .validators(x -> x.put("client_id", new JwtClaimValidator<String>("client_id", Objects::nonNull)))
            .build());
    return decoder;
  }

  @GetMapping("/notes")
  Map<String, Object> notes(@AuthenticationPrincipal Jwt token) {
    return Map.of("owner", token.getSubject());
  }
}
